import java.io.BufferedWriter;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.formats.FunctionalSyntaxDocumentFormat;
import org.semanticweb.owlapi.formats.OBODocumentFormat;
import org.semanticweb.owlapi.formats.OWLXMLDocumentFormat;
import org.semanticweb.owlapi.formats.RDFXMLDocumentFormat;
import org.semanticweb.owlapi.formats.TurtleDocumentFormat;
import org.semanticweb.owlapi.io.FileDocumentSource;
import org.semanticweb.owlapi.model.AxiomType;
import org.semanticweb.owlapi.model.HasOperands;
import org.semanticweb.owlapi.model.MissingImportHandlingStrategy;
import org.semanticweb.owlapi.model.OWLAxiom;
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

    private static final Set<AxiomType<?>> CHAINS = Set.of(
        AxiomType.EQUIVALENT_CLASSES,
        AxiomType.EQUIVALENT_OBJECT_PROPERTIES,
        AxiomType.EQUIVALENT_DATA_PROPERTIES,
        AxiomType.SAME_INDIVIDUAL);

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            Path output = Path.of(arguments[i + 1]);
            try {
                write(new File(arguments[i]), output);
            } catch (Exception refused) {
                Files.writeString(output, "Refused " + plain(refused.getMessage()) + "\n");
            }
        }
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
        ontology.axioms().filter(one -> !isChain(one)).forEach(one -> lines.add(
            (one.getAxiomType() == AxiomType.DECLARATION ? "Declared " : "") + plain(one)));
        lines.addAll(chains(ontology));
        try (BufferedWriter out = Files.newBufferedWriter(output, StandardCharsets.UTF_8)) {
            for (String line : lines) {
                out.write(line);
                out.write('\n');
            }
        }
    }

    private static boolean isChain(OWLAxiom axiom) {
        return CHAINS.contains(axiom.getAxiomType()) && !axiom.isAnnotated();
    }

    /** What is said to be the same, all of it on a line: RDF says it of two at a time, other syntaxes of many. */
    private static Set<String> chains(OWLOntology ontology) {
        Map<String, TreeSet<String>> groups = new HashMap<>();
        ontology.axioms().filter(Statements::isChain).forEach(axiom -> {
            TreeSet<String> group = new TreeSet<>();
            ((HasOperands<?>) axiom).operands().forEach(one -> group.add(axiom.getAxiomType() + " " + plain(one)));
            for (String one : Set.copyOf(group)) group.addAll(groups.getOrDefault(one, new TreeSet<>()));
            for (String one : group) groups.put(one, group);
        });
        Set<String> lines = new TreeSet<>();
        groups.values().forEach(group -> lines.add("Same " + group));
        return lines;
    }

    /** A string without language or datatype; the OWLAPI keeps it apart from one of xsd:string, which it is. */
    private static final Pattern BARE = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"(?!\\^\\^|@)", Pattern.DOTALL);

    /** One line, and one name for all anonymous individuals, whose own depend on the run. */
    private static String plain(Object value) {
        String typed = BARE.matcher(value.toString()).replaceAll("$0^^xsd:string");
        return typed.replaceAll("_:genid[0-9a-zA-Z-]+", "_:x").replace("\n", "\\n").replace("\r", "\\r");
    }
}
