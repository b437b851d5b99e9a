import java.io.BufferedWriter;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.formats.FunctionalSyntaxDocumentFormat;
import org.semanticweb.owlapi.formats.OBODocumentFormat;
import org.semanticweb.owlapi.formats.OWLXMLDocumentFormat;
import org.semanticweb.owlapi.formats.RDFXMLDocumentFormat;
import org.semanticweb.owlapi.formats.TurtleDocumentFormat;
import org.semanticweb.owlapi.io.FileDocumentSource;
import org.semanticweb.owlapi.model.AxiomType;
import org.semanticweb.owlapi.model.MissingImportHandlingStrategy;
import org.semanticweb.owlapi.model.OWLDocumentFormat;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.model.OWLOntologyLoaderConfiguration;
import org.semanticweb.owlapi.model.OWLOntologyManager;

/** Read a document in the syntax of its ending and write all that it says as sorted lines: what the OWLAPI makes of it. */
public final class Statements {
    private static final Map<String, OWLDocumentFormat> FORMATS = Map.of(
        "ofn", new FunctionalSyntaxDocumentFormat(),
        "owx", new OWLXMLDocumentFormat(),
        "owl", new RDFXMLDocumentFormat(),
        "ttl", new TurtleDocumentFormat(),
        "obo", new OBODocumentFormat());

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i + 1 < arguments.length; i += 2) write(new File(arguments[i]), Path.of(arguments[i + 1]));
    }

    private static void write(File file, Path output) throws Exception {
        String name = file.getName();
        OWLDocumentFormat format = FORMATS.get(name.substring(name.lastIndexOf('.') + 1));
        OWLOntologyManager manager = OWLManager.createOWLOntologyManager();
        OWLOntologyLoaderConfiguration configuration =
            new OWLOntologyLoaderConfiguration().setMissingImportHandlingStrategy(MissingImportHandlingStrategy.SILENT);
        OWLOntology ontology =
            manager.loadOntologyFromOntologyDocument(new FileDocumentSource(file, format), configuration);
        TreeSet<String> lines = new TreeSet<>();
        lines.add("Ontology " + ontology.getOntologyID());
        ontology.annotations().forEach(one -> lines.add("Header " + plain(one)));
        ontology.importsDeclarations().forEach(one -> lines.add("Import " + one.getIRI()));
        Stream<String> axioms = ontology.axioms().map(one -> one.getAxiomType() == AxiomType.DECLARATION
            ? "Declared " + plain(one) : plain(one));
        axioms.forEach(lines::add);
        try (BufferedWriter out = Files.newBufferedWriter(output, StandardCharsets.UTF_8)) {
            for (String line : lines) {
                out.write(line);
                out.write('\n');
            }
        }
    }

    /** One line, and one name for all anonymous individuals, whose own depend on the run. */
    private static String plain(Object value) {
        return value.toString().replaceAll("_:genid[0-9a-zA-Z-]+", "_:x").replace("\n", "\\n").replace("\r", "\\r");
    }
}
