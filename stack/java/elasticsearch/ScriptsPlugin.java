package covalence.scripts;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.plugins.ScriptPlugin;
import org.elasticsearch.script.FilterScript;
import org.elasticsearch.script.ScriptContext;
import org.elasticsearch.script.ScriptEngine;

/**
 * Runs the search service's script under the name of Painless, which is not published to the Maven repository. The script's
 * own text was compiled as Java (NotListed); no other is known, so that nobody can have this node run code.
 */
public final class ScriptsPlugin extends Plugin implements ScriptPlugin {

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
        return new KnownScripts();
    }

    private static final class KnownScripts implements ScriptEngine {

        @Override
        public String getType() {
            return "painless";
        }

        @Override
        public <T> T compile(String name, String source, ScriptContext<T> context, Map<String, String> options) {
            if (context != FilterScript.CONTEXT || !source.equals(NotListed.SOURCE)) {
                throw new IllegalArgumentException(
                    "this engine has no Painless but the script of exclusions of the version that it was started with");
            }
            FilterScript.Factory script = (params, lookup) -> reader -> new NotListed(params, lookup, reader);
            return context.factoryClazz.cast(script);
        }

        @Override
        public Set<ScriptContext<?>> getSupportedContexts() {
            return Set.of(FilterScript.CONTEXT);
        }
    }
}
