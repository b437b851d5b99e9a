import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.semanticweb.owlapi.model.AxiomType;
import org.semanticweb.owlapi.model.IRI;
import org.semanticweb.owlapi.model.OWLAxiom;
import org.semanticweb.owlapi.model.OWLEntity;
import org.semanticweb.owlapi.model.OWLOntology;
import uk.ac.manchester.cs.owlapi.modularity.ModuleType;
import uk.ac.manchester.cs.owlapi.modularity.SyntacticLocalityModuleExtractor;

/**
 * Extract modules by the OWLAPI. Argument: a functional-syntax file. Each line of the input is BOT, TOP or STAR and the
 * IRIs of terms; the answer is a line with the number of logical axioms in the module and, sorted, their texts.
 */
public final class OwlapiModules {
    public static void main(String[] arguments) throws Exception {
        OWLOntology ontology = Documents.read(new File(arguments[0]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            Set<OWLEntity> terms = new HashSet<>();
            for (int word = 1; word < words.length; word++)
                ontology.entitiesInSignature(IRI.create(words[word])).forEach(terms::add);
            SyntacticLocalityModuleExtractor extractor = new SyntacticLocalityModuleExtractor(
                    ontology.getOWLOntologyManager(), ontology, ModuleType.valueOf(words[0]));
            TreeSet<String> found = new TreeSet<>();
            for (OWLAxiom axiom : extractor.extract(terms))
                if (axiom.isLogicalAxiom()) found.add(axiom.getAxiomWithoutAnnotations().toString());
            System.out.println(found.size() + "\t" + String.join("\t", found));
        }
    }
}
