package covalence;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.h2.mvstore.MVMap;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.DuplicateKeyError;

/** A collection whose queries use its indexes, and whose stored documents never change in place. */
final class DocumentCollection extends H2Collection {

    private static final ThreadLocal<Document> FIRST_MATCH = new ThreadLocal<>();
    private static final ThreadLocal<Boolean> READING = ThreadLocal.withInitial(() -> false);

    /** Fields that the current query leaves out; guarded by the lock of the collection. */
    private Set<String> leftOut = Set.of();

    DocumentCollection(MongoDatabase database, String name, CollectionOptions options, MVMap<Object, Document> documents,
                       MVMap<String, Object> meta, CursorRegistry cursors) {
        super(database, name, options, documents, meta, cursors);
    }

    @Override
    protected synchronized QueryResult queryDocuments(Document query, Document order, int skip, int limit, int batchSize,
                                                      Document fields) {
        leftOut = READING.get() ? plainExclusions(fields) : Set.of();
        return findDocuments(query, order, skip, limit, batchSize, leftOut.isEmpty() ? fields : null);
    }

    /** The fields of a projection that only excludes top-level fields; the library would copy every document. */
    private static Set<String> plainExclusions(Document fields) {
        boolean isPlain = fields != null && fields.entrySet().stream()
            .allMatch(field -> field.getKey().indexOf('.') < 0 && field.getValue() instanceof Number value && value.intValue() == 0);
        return isPlain ? fields.keySet() : Set.of();
    }

    private QueryResult findDocuments(Document query, Document order, int skip, int limit, int batchSize, Document fields) {
        IndexScan scan = IndexScan.best(getIndexes(), query, order);
        if (scan != null) {
            Stream<Object> positions = scan.positions(order);
            Document remaining = scan.sorts(order) ? null : order;
            return matchDocuments(query, positions::iterator, remaining, skip, limit, batchSize, fields);
        }
        List<IndexScan> branches = IndexScan.ofBranches(getIndexes(), query);
        if (branches != null) {
            Stream<Object> positions = branches.stream().flatMap(branch -> branch.positions(null)).distinct();
            return matchDocuments(query, positions::iterator, order, skip, limit, batchSize, fields);
        }
        return matchDocuments(query, order, skip, limit, batchSize, fields);
    }

    /** Runs an aggregation on the documents of its first $match; the library would read all. */
    static <T> T narrowedTo(Document match, Supplier<T> aggregation) {
        FIRST_MATCH.set(match);
        try {
            return aggregation.get();
        } finally {
            FIRST_MATCH.remove();
        }
    }

    @Override
    public Stream<Document> queryAllAsStream() {
        Document match = FIRST_MATCH.get();
        FIRST_MATCH.remove();
        return match == null ? super.queryAllAsStream() : handleQueryAsStream(match);
    }

    /** Runs a command that only reads. */
    static <T> T reading(Supplier<T> command) {
        READING.set(true);
        try {
            return command.get();
        } finally {
            READING.set(false);
        }
    }

    /** Writes get copies, because the library changes documents in place while another thread sends them. */
    @Override
    protected QueryResult createQueryResult(List<Document> documents, int batchSize) {
        if (!READING.get()) {
            return super.createQueryResult(documents.stream().map(Document::cloneDeeply).toList(), batchSize);
        }
        Set<String> fields = leftOut;
        return super.createQueryResult(
            fields.isEmpty() ? documents : documents.stream().map(each -> without(fields, each)).toList(), batchSize);
    }

    private static Document without(Set<String> fields, Document document) {
        if (fields.stream().noneMatch(document::containsKey)) {
            return document;
        }
        Document rest = document.clone();
        fields.forEach(rest::remove);
        return rest;
    }

    /** Fills all empty indexes in one pass, without checks. */
    synchronized void fillIndexes() {
        List<OrderedIndex> awaited = getIndexes().stream().map(OrderedIndex.class::cast).filter(OrderedIndex::isAwaited).toList();
        if (!awaited.isEmpty()) {
            streamAllDocumentsWithPosition()
                .forEach(each -> awaited.forEach(index -> index.add(each.getDocument(), each.getPosition(), this)));
            awaited.forEach(OrderedIndex::filled);
        }
    }

    /** The lock keeps inserts out while the index is filled. The library does not find duplicates in it. */
    @Override
    public synchronized void addIndex(Index<Object> index) {
        super.addIndex(index);
        List<Object> duplicate = ((OrderedIndex) index).duplicate();
        if (duplicate != null) {
            super.dropIndex(index.getName());
            throw new DuplicateKeyError(index, this, index.getKeys(), new KeyValue(duplicate));
        }
    }

    @Override
    public synchronized void dropIndex(String name) {
        super.dropIndex(name);
    }

    /** Adds lastErrorObject, which the library omits when it inserts or finds nothing. */
    @Override
    public synchronized Document findAndModify(Document command) {
        Document reply = super.findAndModify(command);
        if (reply.containsKey("lastErrorObject")) {
            return reply;
        }
        boolean removes = Utils.isTrue(command.get("remove"));
        boolean removed = removes && reply.get("value") != null;
        boolean inserted = !removes && Utils.isTrue(command.get("upsert"));
        Document outcome = new Document("n", removed || inserted ? 1 : 0);
        if (!removes) {
            outcome.append("updatedExisting", false);
        }
        if (inserted && reply.get("value") instanceof Document value) {
            outcome.append("upserted", value.get("_id"));
        }
        return reply.append("lastErrorObject", outcome);
    }
}
