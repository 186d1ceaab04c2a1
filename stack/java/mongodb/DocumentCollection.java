package covalence;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.h2.mvstore.MVMap;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.bson.Document;

/** A collection whose queries use its indexes, and whose readers never see a document while it is being written. */
final class DocumentCollection extends H2Collection {

    private static final ThreadLocal<Document> FIRST_MATCH = new ThreadLocal<>();

    DocumentCollection(MongoDatabase database, String name, CollectionOptions options, MVMap<Object, Document> documents,
                       MVMap<String, Object> meta, CursorRegistry cursors) {
        super(database, name, options, documents, meta, cursors);
    }

    @Override
    protected synchronized QueryResult queryDocuments(Document query, Document order, int skip, int limit, int batchSize,
                                                      Document fields) {
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

    /** Runs an aggregation whose first stage is a $match on the documents that match, where the library reads all. */
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

    /**
     * Everything read from the collection is a copy. The library changes a document in place and sends it from another
     * thread; on a copy the change becomes visible as a whole, when the copy replaces the original.
     */
    @Override
    protected QueryResult createQueryResult(List<Document> documents, int batchSize) {
        return super.createQueryResult(documents.stream().map(Document::cloneDeeply).toList(), batchSize);
    }

    /** Fills the indexes that are not filled yet, in one pass: the documents were checked when they were written. */
    synchronized void fillIndexes() {
        List<OrderedIndex> awaited = getIndexes().stream().map(OrderedIndex.class::cast).filter(OrderedIndex::isAwaited).toList();
        if (!awaited.isEmpty()) {
            streamAllDocumentsWithPosition()
                .forEach(each -> awaited.forEach(index -> index.add(each.getDocument(), each.getPosition(), this)));
            awaited.forEach(OrderedIndex::filled);
        }
    }

    /** Without the lock, a document inserted while the index is filled would be missing from it. */
    @Override
    public synchronized void addIndex(Index<Object> index) {
        super.addIndex(index);
    }

    @Override
    public synchronized void dropIndex(String name) {
        super.dropIndex(name);
    }

    /** The library leaves out what happened when it inserts or finds nothing; drivers report it to the caller. */
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
