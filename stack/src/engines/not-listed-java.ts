import { notListedScript } from '@covalence/contract/not-listed-script';

/**
 * The source of a class that runs the script of exclusions in the embedded Elasticsearch: its text, which is Java too, with
 * the names around it that Painless gives a script.
 */
export const notListedJava = (): string => `package covalence.scripts;

import java.util.List;
import java.util.Map;

import org.elasticsearch.index.fielddata.ScriptDocValues;
import org.elasticsearch.script.DocReader;
import org.elasticsearch.script.FilterScript;
import org.elasticsearch.search.lookup.SearchLookup;

final class NotListed extends FilterScript {

    static final String SOURCE = ${JSON.stringify(notListedScript)};

    NotListed(Map<String, Object> params, SearchLookup lookup, DocReader reader) {
        super(params, lookup, reader);
    }

    @Override
    public boolean execute() {
        Map<String, Object> params = getParams();
        Map<String, ScriptDocValues<?>> doc = getDoc();
${notListedScript}
    }
}
`;
