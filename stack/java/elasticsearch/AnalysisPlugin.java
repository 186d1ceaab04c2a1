package covalence.analysis;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.Plugin;

/** The token filters of Elastic's module analysis-common that the mapping uses; Maven does not have the module. */
public final class AnalysisPlugin extends Plugin implements org.elasticsearch.plugins.AnalysisPlugin {

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
            "asciifolding", (index, environment, name, settings) -> new AsciiFolding(name, settings),
            "keyword_marker", org.elasticsearch.plugins.AnalysisPlugin.requiresAnalysisSettings(
                (index, environment, name, settings) -> new KeywordMarker(name, settings)),
            "lowercase", (index, environment, name, settings) -> new LowerCase(name, settings),
            "snowball", (index, environment, name, settings) -> new Snowball(name, settings));
    }

    @Override
    public List<PreConfiguredTokenFilter> getPreConfiguredTokenFilters() {
        return List.of(
            PreConfiguredTokenFilter.singleton("asciifolding", true, ASCIIFoldingFilter::new),
            PreConfiguredTokenFilter.singleton("snowball", false, tokens -> new SnowballFilter(tokens, "English")));
    }

    private static final class AsciiFolding extends AbstractTokenFilterFactory implements NormalizingTokenFilterFactory {

        private final boolean preserveOriginal;

        private AsciiFolding(String name, Settings settings) {
            super(name);
            preserveOriginal = settings.getAsBoolean("preserve_original", false);
        }

        @Override
        public TokenStream create(TokenStream tokens) {
            return new ASCIIFoldingFilter(tokens, preserveOriginal);
        }

        /** A normalizer yields one token, so it cannot preserve the original. */
        @Override
        public TokenStream normalize(TokenStream tokens) {
            return new ASCIIFoldingFilter(tokens, false);
        }

        /** Neither can the parser of synonyms. */
        @Override
        public TokenFilterFactory getSynonymFilter() {
            return preserveOriginal ? new AsciiFolding(name(), Settings.EMPTY) : this;
        }
    }

    /** The server itself has only the filter without settings. */
    private static final class LowerCase extends AbstractTokenFilterFactory implements NormalizingTokenFilterFactory {

        private final String language;

        private LowerCase(String name, Settings settings) {
            super(name);
            language = settings.get("language", "").toLowerCase(Locale.ROOT);
            if (!List.of("", "greek", "irish", "turkish").contains(language)) {
                throw new IllegalArgumentException("language [" + language + "] not support for lower case");
            }
        }

        @Override
        public TokenStream create(TokenStream tokens) {
            return switch (language) {
                case "greek" -> new GreekLowerCaseFilter(tokens);
                case "irish" -> new IrishLowerCaseFilter(tokens);
                case "turkish" -> new TurkishLowerCaseFilter(tokens);
                default -> new LowerCaseFilter(tokens);
            };
        }
    }

    /** Words that the filters behind it do not stem. */
    private static final class KeywordMarker extends AbstractTokenFilterFactory {

        private final CharArraySet keywords;

        private KeywordMarker(String name, Settings settings) {
            super(name);
            List<String> words = settings.getAsList("keywords");
            if (words.isEmpty()) {
                throw new IllegalArgumentException("keyword filter requires either `keywords`, `keywords_path`, "
                    + "or `keywords_pattern` to be configured");
            }
            keywords = new CharArraySet(words, settings.getAsBoolean("ignore_case", false));
        }

        @Override
        public TokenStream create(TokenStream tokens) {
            return new SetKeywordMarkerFilter(tokens, keywords);
        }
    }

    private static final class Snowball extends AbstractTokenFilterFactory {

        private final String language;

        private Snowball(String name, Settings settings) {
            super(name);
            String asked = settings.get("language", settings.get("name", "English"));
            language = asked.substring(0, 1).toUpperCase(Locale.ROOT) + asked.substring(1);
        }

        @Override
        public TokenStream create(TokenStream tokens) {
            return new SnowballFilter(tokens, language);
        }
    }
}
