import java.io.BufferedWriter;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.semanticweb.elk.owlapi.ElkReasonerFactory;
import org.semanticweb.owlapi.model.OWLClass;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.reasoner.InferenceType;
import org.semanticweb.owlapi.reasoner.Node;
import org.semanticweb.owlapi.reasoner.OWLReasoner;

/** Do ELK's whole job once: read a functional-syntax file, classify it, write the direct edges as sorted TSV. */
public final class ElkTaxonomy {
    public static void main(String[] arguments) throws Exception {
        OWLOntology ontology = Documents.read(new File(arguments[0]));
        OWLReasoner reasoner = new ElkReasonerFactory().createReasoner(ontology);
        reasoner.precomputeInferences(InferenceType.CLASS_HIERARCHY);
        List<String> lines = reasoner.isConsistent() ? directEdges(ontology, reasoner) : List.of();
        try (BufferedWriter out = Files.newBufferedWriter(Path.of(arguments[1]), StandardCharsets.UTF_8)) {
            for (String line : lines) {
                out.write(line);
                out.write('\n');
            }
        }
        reasoner.dispose();
        System.exit(0); // ELK keeps worker threads alive
    }

    /** Each satisfiable class with its other names and with its nearest strict superclasses, owl:Thing left out. */
    private static List<String> directEdges(OWLOntology ontology, OWLReasoner reasoner) {
        List<String> lines = new ArrayList<>();
        for (OWLClass start : ontology.classesInSignature().collect(Collectors.toList())) {
            Node<OWLClass> names = reasoner.getEquivalentClasses(start);
            if (start.isOWLThing() || names.isBottomNode()) continue;
            String sub = start.getIRI().toString();
            names.entities().filter(c -> !c.isOWLThing() && !c.equals(start)).forEach(c -> lines.add(edge(sub, c)));
            if (names.isTopNode()) continue;
            for (Node<OWLClass> parent : reasoner.getSuperClasses(start, true))
                parent.entities().filter(c -> !c.isOWLThing()).forEach(c -> lines.add(edge(sub, c)));
        }
        Collections.sort(lines);
        return lines;
    }

    private static String edge(String sub, OWLClass sup) {
        return sub + "\t" + sup.getIRI();
    }
}
