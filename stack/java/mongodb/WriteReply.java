package covalence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;

/** Corrects replies to writes where the library differs from MongoDB. */
record WriteReply(Supplier<MongoCollection<?>> collection) {

    private static final int DUPLICATE_KEY = 11000;
    private static final Pattern INDEX_NAME = Pattern.compile(" index: (.+?) dup key: ");

    Document complete(String command, Document query, UnaryOperator<Document> run) {
        return switch (command) {
            case "insert" -> ofInsert(query, run.apply(query));
            case "update" -> ofUpdates(query, run);
            default -> run.apply(query);
        };
    }

    /** The library counts the sent documents instead of the inserted ones. */
    private Document ofInsert(Document query, Document reply) {
        List<Document> errors = errorsOf(reply);
        if (errors.isEmpty()) {
            return reply;
        }
        int sent = ((List<?>) query.get("documents")).size();
        int inserted = isOrdered(query) ? (Integer) errors.getFirst().get("index") : sent - errors.size();
        errors.forEach(this::nameKey);
        return reply.append("n", inserted);
    }

    /** The library continues after an error; ordered updates end there. */
    private Document ofUpdates(Document query, UnaryOperator<Document> run) {
        List<?> updates = (List<?>) query.get("updates");
        if (updates.size() == 1) {
            Document reply = run.apply(query);
            errorsOf(reply).forEach(this::nameKey);
            return reply;
        }
        int matched = 0;
        int modified = 0;
        List<Document> upserted = new ArrayList<>();
        List<Document> errors = new ArrayList<>();
        for (int i = 0; i < updates.size() && (errors.isEmpty() || !isOrdered(query)); i++) {
            Document part = new Document(query).append("updates", List.of(updates.get(i)));
            Document reply = run.apply(part);
            matched += (Integer) reply.get("n");
            modified += (Integer) reply.get("nModified");
            upserted.addAll(at(i, documentsIn(reply, "upserted")));
            errors.addAll(at(i, errorsOf(reply)));
        }
        Document reply = new Document("n", matched).append("nModified", modified);
        if (!upserted.isEmpty()) {
            reply.append("upserted", upserted);
        }
        if (!errors.isEmpty()) {
            errors.forEach(this::nameKey);
            reply.append("writeErrors", errors);
        }
        return reply.append("ok", 1.0);
    }

    Document ofError(MongoServerError error) {
        Document reply = new Document("ok", 0.0)
            .append("errmsg", error.getMessageWithoutErrorCode())
            .append("code", error.getCode());
        reply.putIfNotNull("codeName", error.getCodeName());
        nameKey(reply);
        return reply;
    }

    /** Adds the fields of the index to a duplicate key error, because callers read them. */
    private void nameKey(Document error) {
        Matcher message = INDEX_NAME.matcher(String.valueOf(error.get("errmsg")));
        if (!Integer.valueOf(DUPLICATE_KEY).equals(error.get("code")) || !message.find()) {
            return;
        }
        for (Index<?> index : collection.get().getIndexes()) {
            if (index.getName().equals(message.group(1))) {
                error.append("keyPattern", index.toIndexDescription().get("key"));
            }
        }
    }

    private static boolean isOrdered(Document query) {
        return !Boolean.FALSE.equals(query.get("ordered"));
    }

    private static List<Document> errorsOf(Document reply) {
        return documentsIn(reply, "writeErrors");
    }

    private static List<Document> documentsIn(Document reply, String field) {
        List<Document> documents = new ArrayList<>();
        if (reply.get(field) instanceof Iterable<?> many) {
            many.forEach(one -> documents.add((Document) one));
        }
        return documents;
    }

    private static List<Document> at(int index, List<Document> parts) {
        parts.forEach(part -> part.put("index", index));
        return parts;
    }
}
