import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.semanticweb.HermiT.Configuration;
import org.semanticweb.HermiT.Reasoner;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.formats.FunctionalSyntaxDocumentFormat;
import org.semanticweb.owlapi.io.StreamDocumentSource;
import org.semanticweb.owlapi.model.HasIRI;
import org.semanticweb.owlapi.model.IRI;
import org.semanticweb.owlapi.model.OWLClass;
import org.semanticweb.owlapi.model.OWLNamedIndividual;
import org.semanticweb.owlapi.model.OWLObjectProperty;
import org.semanticweb.owlapi.model.OWLOntology;

/**
 * Answers one question after another about ontologies, in one JVM.
 *
 * <p>A question is a line "consistent", "classes", "types" or "roles", a space, and an ontology in functional syntax, in
 * Base64. The answer is lines of fields that are separated by tabs, the last one "end": "consistent" and true or false,
 * then, where it is consistent, "unsatisfiable" and a class, "sub" and two classes, "type" and an individual and a class,
 * "role" and an individual, a property and an individual; or "error" and the reason.
 */
public final class Server {
    private static final long STACK = 64L << 20; // bytes: expressions are nested

    private final PrintStream out;
    private final OWLOntology ontology;
    private final Reasoner reasoner;

    private Server(PrintStream out, OWLOntology ontology) {
        Configuration configuration = new Configuration();
        configuration.throwInconsistentOntologyException = false;
        this.out = out;
        this.ontology = ontology;
        this.reasoner = new Reasoner(configuration, ontology);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err); // whatever else is printed is no answer
        BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
        Thread answering = new Thread(null, () -> answerAll(waiting, out), "answering", STACK);
        answering.setDaemon(true);
        answering.start();
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) waiting.add(line);
        Runtime.getRuntime().halt(0); // whoever asked is gone: no answer is worth going on for
    }

    private static void answerAll(BlockingQueue<String> waiting, PrintStream out) {
        while (true) {
            try {
                String[] parts = waiting.take().split(" ", 2);
                new Server(out, read(Base64.getDecoder().decode(parts[1]))).answer(parts[0]);
            } catch (Exception | StackOverflowError | OutOfMemoryError failure) {
                String reason = failure.getClass().getSimpleName() + ": " + failure.getMessage();
                out.println("error\t" + reason.replaceAll("\\s+", " "));
            }
            out.println("end");
            out.flush();
        }
    }

    private static OWLOntology read(byte[] text) throws Exception {
        return OWLManager.createOWLOntologyManager()
                .loadOntologyFromOntologyDocument(
                        new StreamDocumentSource(
                                new ByteArrayInputStream(text),
                                IRI.create("urn:moose:document"),
                                new FunctionalSyntaxDocumentFormat(),
                                null));
    }

    private void answer(String question) {
        boolean isConsistent = reasoner.isConsistent();
        out.println("consistent\t" + isConsistent);
        if (isConsistent && question.equals("classes")) classes();
        if (isConsistent && question.equals("types")) ontology.individualsInSignature().forEach(this::types);
        if (isConsistent && question.equals("roles")) ontology.individualsInSignature().forEach(this::roles);
        reasoner.dispose();
    }

    private void classes() {
        ontology.classesInSignature().filter(c -> !c.isOWLThing() && !c.isOWLNothing()).forEach(name -> {
            if (!reasoner.isSatisfiable(name)) {
                write("unsatisfiable", name);
                return;
            }
            Stream<OWLClass> above =
                    Stream.concat(
                            reasoner.getSuperClasses(name, false).entities(),
                            reasoner.getEquivalentClasses(name).entities());
            above.filter(c -> !c.isOWLThing() && !c.equals(name)).distinct().forEach(c -> write("sub", name, c));
        });
    }

    private void types(OWLNamedIndividual individual) {
        reasoner.getTypes(individual, false).entities().filter(c -> !c.isOWLThing()).forEach(c -> write("type", individual, c));
    }

    private void roles(OWLNamedIndividual individual) {
        ontology.objectPropertiesInSignature().filter(p -> !p.isOWLTopObjectProperty()).forEach(role -> roles(individual, role));
    }

    private void roles(OWLNamedIndividual individual, OWLObjectProperty role) {
        reasoner.getObjectPropertyValues(individual, role).entities().forEach(other -> write("role", individual, role, other));
    }

    private void write(String kind, HasIRI... names) {
        out.println(kind + "\t" + Stream.of(names).map(n -> n.getIRI().toString()).collect(Collectors.joining("\t")));
    }
}
