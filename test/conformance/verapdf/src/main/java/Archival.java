import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Reads a list of files and prints a line for each PDF/A or PDF/UA that a file claims to be: file, flavour, whether it conforms, broken rules. */
public class Archival {
  public static void main(String[] args) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    for (String file : Files.readAllLines(Path.of(args[0]))) {
      try (PDFAParser parser = Foundries.defaultInstance().createParser(Path.of(file).toFile())) {
        List<PDFAFlavour> claimed = parser.getFlavours();
        for (PDFAFlavour flavour : claimed) tell(file, flavour, parser);
      }
    }
  }

  private static void tell(String file, PDFAFlavour flavour, PDFAParser parser) throws Exception {
    PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false);
    ValidationResult result = validator.validate(parser);
    Set<String> broken = new TreeSet<>();
    for (TestAssertion assertion : result.getTestAssertions()) {
      if (assertion.getStatus() == TestAssertion.Status.FAILED)
        broken.add(assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber() + " " + assertion.getMessage());
    }
    String told = String.join("; ", broken).replaceAll("\\s+", " ");
    System.out.println(String.join("\t", List.of(file, flavour.getId(), String.valueOf(result.isCompliant()), told)));
  }
}
