import java.io.File;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.formats.FunctionalSyntaxDocumentFormat;
import org.semanticweb.owlapi.io.FileDocumentSource;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.model.OWLOntologyCreationException;
import org.semanticweb.owlapi.model.OWLOntologyManager;

/** Reading for all the runners here. */
final class Documents {
    private Documents() {}

    /** Read a functional-syntax file, naming its format, so that no time goes into trying the other parsers. */
    static OWLOntology read(File file) throws OWLOntologyCreationException {
        OWLOntologyManager manager = OWLManager.createOWLOntologyManager();
        return manager.loadOntologyFromOntologyDocument(new FileDocumentSource(file, new FunctionalSyntaxDocumentFormat()));
    }
}
