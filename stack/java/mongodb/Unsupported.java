package covalence;

import java.util.Collection;
import java.util.List;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;

/** Rejects features that the library would misinterpret or ignore. */
final class Unsupported {

    private static final int COMMAND_NOT_SUPPORTED = 115;

    static void refuse(String command, Document query) {
        refuseIf(query.containsKey("collation"), "collations");
        refuseIf(query.containsKey("validator"), "validators");
        switch (command) {
            case "update" -> documents(query, "updates").forEach(Unsupported::refusePipeline);
            case "findAndModify" -> refuseIf(query.get("update") instanceof Collection, "updates by a pipeline");
            case "createIndexes" -> documents(query, "indexes").forEach(Unsupported::refuseIndex);
            case "aggregate" -> refuseIf(documents(query, "pipeline").stream().anyMatch(stage -> stage.containsKey("$changeStream")),
                "change streams");
            default -> {
            }
        }
    }

    private static void refusePipeline(Document update) {
        refuseIf(update.get("u") instanceof Collection, "updates by a pipeline");
        refuseIf(update.containsKey("collation"), "collations");
    }

    private static void refuseIndex(Document index) {
        refuseIf(index.containsKey("collation"), "collations");
        for (Object direction : ((Document) index.get("key")).values()) {
            refuseIf(direction instanceof String && !direction.equals("hashed"), direction + " indexes");
        }
    }

    private static List<Document> documents(Document query, String field) {
        return query.get(field) instanceof Collection<?> many ? many.stream().map(Document.class::cast).toList() : List.of();
    }

    private static void refuseIf(boolean used, String what) {
        if (used) {
            throw new MongoServerError(COMMAND_NOT_SUPPORTED, "CommandNotSupported", "The embedded database has no " + what
                + "; set MONGODB_URL to a MongoDB server to use them");
        }
    }

    private Unsupported() {
    }
}
