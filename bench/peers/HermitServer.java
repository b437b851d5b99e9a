import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.semanticweb.HermiT.Configuration;
import org.semanticweb.HermiT.Reasoner;
import org.semanticweb.owlapi.model.HasIRI;
import org.semanticweb.owlapi.model.OWLClass;
import org.semanticweb.owlapi.model.OWLDataFactory;
import org.semanticweb.owlapi.model.OWLEntity;
import org.semanticweb.owlapi.model.OWLNamedIndividual;
import org.semanticweb.owlapi.model.OWLObjectProperty;
import org.semanticweb.owlapi.model.OWLOntology;

/**
 * Answer for one functional-syntax file after another what HermiT entails, in one JVM.
 *
 * <p>A request is a line "fast PATH" or "careful PATH"; the answer is tab-separated lines (consistent, unsat, sub,
 * type, role, same, or error) and a line with a single dot. "fast" asks HermiT's classification and realisation;
 * "careful" has each pair decided by a consistency test of its own, so that it does not rest on those algorithms.
 *
 * <p>HermiT's own time limit is not used: its timer can wait for itself for ever. Whoever asks ends this process.
 */
public final class HermitServer {
    private final PrintStream out;
    private final OWLOntology ontology;
    private final Reasoner reasoner;
    private final OWLDataFactory factory;
    private final boolean isCareful;

    private HermitServer(PrintStream out, OWLOntology ontology, boolean isCareful) {
        Configuration configuration = new Configuration();
        configuration.throwInconsistentOntologyException = false;
        this.out = out;
        this.ontology = ontology;
        this.reasoner = new Reasoner(configuration, ontology);
        this.factory = reasoner.getDataFactory();
        this.isCareful = isCareful;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            String[] request = line.split(" ", 2);
            try {
                OWLOntology ontology = Documents.read(new File(request[1]));
                new HermitServer(out, ontology, request[0].equals("careful")).answer();
            } catch (Exception | StackOverflowError failure) {
                String reason = failure.getClass().getSimpleName() + ": " + failure.getMessage();
                out.println("error\t" + reason.replaceAll("\\s+", " "));
            }
            out.println(".");
            out.flush();
        }
    }

    private void answer() {
        boolean isConsistent = reasoner.isConsistent();
        out.println("consistent\t" + isConsistent);
        if (isConsistent) {
            classes();
            individuals();
        }
        reasoner.dispose();
    }

    private void classes() {
        List<OWLClass> all = sorted(ontology.classesInSignature().filter(c -> !c.isOWLThing() && !c.isOWLNothing()));
        List<OWLClass> satisfiable = new ArrayList<>();
        for (OWLClass name : all) {
            if (reasoner.isSatisfiable(name)) satisfiable.add(name);
            else write("unsat", name);
        }
        BiPredicate<OWLClass, OWLClass> isSub = isCareful ? this::isSubByTest : this::isSubByHierarchy;
        for (OWLClass sub : satisfiable)
            for (OWLClass sup : satisfiable) if (!sub.equals(sup) && isSub.test(sub, sup)) write("sub", sub, sup);
    }

    private boolean isSubByTest(OWLClass sub, OWLClass sup) {
        return !reasoner.isSatisfiable(factory.getOWLObjectIntersectionOf(sub, factory.getOWLObjectComplementOf(sup)));
    }

    private boolean isSubByHierarchy(OWLClass sub, OWLClass sup) {
        return reasoner.getEquivalentClasses(sub).contains(sup) || reasoner.getSuperClasses(sub, false).containsEntity(sup);
    }

    private void individuals() {
        List<OWLNamedIndividual> all = sorted(ontology.individualsInSignature());
        List<OWLClass> classes = sorted(ontology.classesInSignature().filter(c -> !c.isOWLThing()));
        List<OWLObjectProperty> roles =
                sorted(ontology.objectPropertiesInSignature().filter(p -> !p.isOWLTopObjectProperty()));
        for (OWLNamedIndividual first : all) {
            for (OWLClass type : classes) if (isOfType(first, type)) write("type", first, type);
            for (OWLNamedIndividual second : all) {
                if (!first.equals(second) && isSame(first, second)) write("same", first, second);
                for (OWLObjectProperty role : roles) if (isRelated(first, role, second)) write("role", first, role, second);
            }
        }
    }

    private boolean isOfType(OWLNamedIndividual individual, OWLClass type) {
        if (isCareful) return reasoner.isEntailed(factory.getOWLClassAssertionAxiom(type, individual));
        return reasoner.hasType(individual, type, false);
    }

    private boolean isSame(OWLNamedIndividual first, OWLNamedIndividual second) {
        if (isCareful) return reasoner.isEntailed(factory.getOWLSameIndividualAxiom(first, second));
        return reasoner.isSameIndividual(first, second);
    }

    private boolean isRelated(OWLNamedIndividual first, OWLObjectProperty role, OWLNamedIndividual second) {
        if (!isCareful) return reasoner.hasObjectPropertyRelationship(first, role, second);
        return reasoner.isEntailed(factory.getOWLObjectPropertyAssertionAxiom(role, first, second));
    }

    private void write(String kind, HasIRI... names) {
        out.println(kind + "\t" + Stream.of(names).map(n -> n.getIRI().toString()).collect(Collectors.joining("\t")));
    }

    private static <T extends OWLEntity> List<T> sorted(Stream<T> entities) {
        return entities.sorted(Comparator.comparing(e -> e.getIRI().toString())).collect(Collectors.toList());
    }
}
