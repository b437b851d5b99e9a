import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.semanticweb.elk.owlapi.ElkReasonerConfiguration;
import org.semanticweb.elk.owlapi.ElkReasonerFactory;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.reasoner.InferenceType;
import org.semanticweb.owlapi.reasoner.OWLReasoner;

/**
 * Time ELK's classification of an ontology that is already in memory, again and again in one JVM.
 *
 * <p>Arguments: file, workers (0 = ELK's default), seconds to warm up, repetitions to report. Warming up takes at
 * least two repetitions. Prints a line "wall cpu" in seconds for each reported repetition; CPU is that of the whole
 * process, garbage collector included.
 */
public final class ElkAlone {
    private static final OperatingSystemMXBean MACHINE =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    public static void main(String[] arguments) throws Exception {
        OWLOntology ontology = Documents.read(new File(arguments[0]));
        int workers = Integer.parseInt(arguments[1]);
        double warmUpSeconds = Double.parseDouble(arguments[2]);
        int repetitions = Integer.parseInt(arguments[3]);
        long start = System.nanoTime();
        for (int turn = 0; turn < 2 || (System.nanoTime() - start) / 1e9 < warmUpSeconds; turn++)
            classify(ontology, workers);
        for (int turn = 0; turn < repetitions; turn++) System.out.println(classify(ontology, workers));
        System.exit(0); // ELK keeps worker threads alive
    }

    private static String classify(OWLOntology ontology, int workers) {
        System.gc(); // each repetition starts without the last one's garbage
        long wall = System.nanoTime();
        long cpu = MACHINE.getProcessCpuTime();
        OWLReasoner reasoner = new ElkReasonerFactory().createReasoner(ontology, configuration(workers));
        reasoner.precomputeInferences(InferenceType.CLASS_HIERARCHY);
        double wallSeconds = (System.nanoTime() - wall) / 1e9;
        double cpuSeconds = (MACHINE.getProcessCpuTime() - cpu) / 1e9;
        reasoner.dispose();
        return String.format(Locale.ROOT, "%.6f %.6f", wallSeconds, cpuSeconds);
    }

    private static ElkReasonerConfiguration configuration(int workers) {
        ElkReasonerConfiguration configuration = new ElkReasonerConfiguration();
        if (workers > 0)
            configuration.getElkConfiguration().setParameter("elk.reasoner.number_of_workers", Integer.toString(workers));
        return configuration;
    }
}
