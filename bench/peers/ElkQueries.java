import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.ArrayList;
import org.semanticweb.elk.owlapi.ElkReasonerConfiguration;
import org.semanticweb.elk.owlapi.ElkReasonerFactory;
import org.semanticweb.owlapi.model.OWLClass;
import org.semanticweb.owlapi.model.OWLClassExpression;
import org.semanticweb.owlapi.model.OWLEquivalentClassesAxiom;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.model.parameters.Imports;
import org.semanticweb.owlapi.model.AxiomType;
import org.semanticweb.owlapi.reasoner.InferenceType;
import org.semanticweb.owlapi.reasoner.OWLReasoner;

/**
 * Time ELK's answers to DL queries on an ontology that it has classified: sub-, super- and equivalent classes of each.
 *
 * <p>Arguments: ontology, queries for warming up, queries to be timed, file for the answers. Queries are an ontology of
 * axioms EquivalentClasses(&lt;urn:query:N&gt; expression). Prints a line "classify wall cpu": seconds for classifying,
 * then for all timed queries; CPU is that of the whole process.
 */
public final class ElkQueries {
    private static final OperatingSystemMXBean MACHINE =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    public static void main(String[] arguments) throws Exception {
        OWLOntology ontology = Documents.read(new File(arguments[0]));
        List<OWLClassExpression> warmUp = queries(new File(arguments[1]));
        List<OWLClassExpression> timed = queries(new File(arguments[2]));
        ElkReasonerConfiguration configuration = new ElkReasonerConfiguration();
        configuration.getElkConfiguration().setParameter("elk.reasoner.number_of_workers", "1");
        long start = System.nanoTime();
        OWLReasoner reasoner = new ElkReasonerFactory().createReasoner(ontology, configuration);
        reasoner.precomputeInferences(InferenceType.CLASS_HIERARCHY);
        double classify = (System.nanoTime() - start) / 1e9;
        for (OWLClassExpression query : warmUp) answer(reasoner, query);
        System.gc();
        long wall = System.nanoTime();
        long cpu = MACHINE.getProcessCpuTime();
        List<List<String>> answers = new ArrayList<>();
        for (OWLClassExpression query : timed) answers.add(answer(reasoner, query));
        double wallSeconds = (System.nanoTime() - wall) / 1e9;
        double cpuSeconds = (MACHINE.getProcessCpuTime() - cpu) / 1e9;
        try (PrintWriter out = new PrintWriter(arguments[3], "UTF-8")) {
            for (int number = 0; number < answers.size(); number++)
                for (String line : answers.get(number)) out.println(number + "\t" + line);
        }
        System.out.println(String.format(Locale.ROOT, "%.6f %.6f %.6f", classify, wallSeconds, cpuSeconds));
        System.exit(0); // ELK keeps worker threads alive
    }

    private static List<String> answer(OWLReasoner reasoner, OWLClassExpression query) {
        List<String> lines = new ArrayList<>();
        for (OWLClass cls : reasoner.getEquivalentClasses(query).getEntities()) add(lines, "equivalent", cls);
        // For an expression, ELK 0.6.0 leaves the direct ones out of the indirect ones, so both are asked for; the
        // second answer comes from what the first has computed.
        for (boolean isDirect : new boolean[] {true, false}) {
            reasoner.getSuperClasses(query, isDirect).entities().forEach(cls -> add(lines, "super", cls));
            reasoner.getSubClasses(query, isDirect).entities().forEach(cls -> add(lines, "sub", cls));
        }
        return lines;
    }

    private static void add(List<String> lines, String relation, OWLClass cls) {
        if (!cls.isOWLThing() && !cls.isOWLNothing()) lines.add(relation + "\t" + cls.getIRI());
    }

    /** The expressions, by the numbers in the names that they have. */
    private static List<OWLClassExpression> queries(File file) throws Exception {
        TreeMap<Integer, OWLClassExpression> found = new TreeMap<>();
        for (OWLEquivalentClassesAxiom axiom : Documents.read(file).getAxioms(AxiomType.EQUIVALENT_CLASSES, Imports.EXCLUDED)) {
            OWLClass name = null;
            OWLClassExpression expression = null;
            for (OWLClassExpression operand : axiom.getClassExpressionsAsList()) {
                boolean isName = !operand.isAnonymous() && operand.asOWLClass().getIRI().toString().startsWith("urn:query:");
                if (isName) name = operand.asOWLClass();
                else expression = operand;
            }
            found.put(Integer.parseInt(name.getIRI().toString().substring("urn:query:".length())), expression);
        }
        return new ArrayList<>(found.values());
    }
}
