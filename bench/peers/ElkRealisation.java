import java.io.BufferedWriter;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.semanticweb.elk.owlapi.ElkReasonerFactory;
import org.semanticweb.owlapi.model.OWLClass;
import org.semanticweb.owlapi.model.OWLNamedIndividual;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.reasoner.InferenceType;
import org.semanticweb.owlapi.reasoner.OWLReasoner;

/** Do ELK's whole job once: read a functional-syntax file, realise it, write all types of all individuals as TSV. */
public final class ElkRealisation {
    public static void main(String[] arguments) throws Exception {
        OWLOntology ontology = Documents.read(new File(arguments[0]));
        OWLReasoner reasoner = new ElkReasonerFactory().createReasoner(ontology);
        reasoner.precomputeInferences(InferenceType.CLASS_ASSERTIONS);
        try (BufferedWriter out = Files.newBufferedWriter(Path.of(arguments[1]), StandardCharsets.UTF_8)) {
            List<OWLNamedIndividual> all = ontology.individualsInSignature().collect(Collectors.toList());
            for (OWLNamedIndividual individual : all) {
                String name = individual.getIRI().toString();
                for (OWLClass type : reasoner.getTypes(individual, false).getFlattened()) {
                    if (type.isOWLThing()) continue;
                    out.write(name);
                    out.write('\t');
                    out.write(type.getIRI().toString());
                    out.write('\n');
                }
            }
        }
        reasoner.dispose();
        System.exit(0); // ELK keeps worker threads alive
    }
}
