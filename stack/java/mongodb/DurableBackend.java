package covalence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.oplog.Oplog;
import io.netty.channel.Channel;

/** Databases in one file. Writes are in the file before the reply, so that a killed process loses none. */
final class DurableBackend extends H2Backend {

    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findAndModify", "create",
        "createIndexes", "drop", "dropIndexes", "dropDatabase", "renameCollection", "aggregate");
    private static final String DOCUMENTS = "databases.";
    private static final String META = "meta.";
    private static final int COMPACTION_MILLIS = 1_000;

    private final DropLocks locks = new DropLocks();

    DurableBackend(MVStore store) {
        super(store);
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        try {
            return locks.run(database, command, query, () -> answer(channel, database, command, query));
        } catch (MVStoreException broken) {
            // A closed map in an open file is an error of one command only.
            if (broken.getErrorCode() != DataUtils.ERROR_CLOSED || getMvStore().isClosed()) {
                end(broken);
            }
            throw broken;
        }
    }

    private Document answer(Channel channel, String database, String command, Document query) {
        WriteReply replies = new WriteReply(() -> collectionOf(database, command, query));
        try {
            Unsupported.refuse(command, query);
            return DocumentCollection.narrowedTo(firstMatch(query),
                () -> replies.complete(command, query, part -> run(channel, database, command, part)));
        } catch (MongoServerError error) {
            return replies.ofError(error);
        } catch (RuntimeException failure) {
            logWithoutData(command + " on " + database, failure);
            throw failure;
        } finally {
            if (WRITES.contains(command)) {
                persist();
            }
        }
    }

    private Document run(Channel channel, String database, String command, Document query) {
        Supplier<Document> library = () -> super.handleCommand(channel, database, command, query);
        return command.equals("find") ? DocumentCollection.reading(library) : library.get();
    }

    /** Waits until all changes are in the file, also those that another thread is writing. Throws on a closed store. */
    private void persist() {
        MVStore store = getMvStore();
        if (store.commit() < 0) {
            store.executeFilestoreOperation(() -> { });
        }
    }

    /** A failed file stays unusable until it is reopened, so the process exits. */
    private static void end(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        System.err.println("The database file cannot be read or written: " + cause.getMessage());
        Runtime.getRuntime().halt(1);
    }

    /** Logs no message of the library, because it can contain personal data. */
    private static void logWithoutData(String what, RuntimeException failure) {
        IllegalStateException place = new IllegalStateException(what + " failed: " + failure.getClass().getName());
        place.setStackTrace(failure.getStackTrace());
        place.printStackTrace();
    }

    private static Document firstMatch(Document query) {
        boolean staged = query.get("pipeline") instanceof List<?> stages && !stages.isEmpty();
        return staged && ((List<?>) query.get("pipeline")).getFirst() instanceof Document stage
            && stage.get("$match") instanceof Document match ? match : null;
    }

    private MongoCollection<?> collectionOf(String database, String command, Document query) {
        return resolveDatabase(database).resolveCollection(String.valueOf(query.get(command)), false);
    }

    /** Deletes documents that have expired (expireAfterSeconds). */
    void expire() {
        try {
            for (String name : Set.copyOf(listDatabaseNames())) {
                locks.using(name, () -> expire(name));
            }
            persist();
        } catch (RuntimeException failure) {
            logWithoutData("expiry", failure);
        }
    }

    private Void expire(String name) {
        MongoDatabase database = resolveDatabase(name);
        MongoCollection<?> indexes = database.resolveCollection("system.indexes", false);
        if (indexes != null) {
            indexes.queryAll().forEach(index -> expire(database, index));
        }
        return null;
    }

    private static void expire(MongoDatabase database, Document index) {
        if (!(index.get("expireAfterSeconds") instanceof Number seconds)) {
            return;
        }
        String field = ((Document) index.get("key")).keySet().iterator().next();
        String name = index.get("ns").toString().substring(database.getDatabaseName().length() + 1);
        Instant oldest = Instant.now().minusSeconds(seconds.longValue());
        MongoCollection<?> collection = database.resolveCollection(name, false);
        if (collection != null) {
            collection.deleteDocuments(new Document(field, new Document("$lt", oldest)), 0);
        }
    }

    /** Compacts the file for up to a second and closes it. */
    @Override
    public void close() {
        getMvStore().close(COMPACTION_MILLIS);
        super.close();
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
        return new Database(name);
    }

    /** An inner class, because the library's constructor already opens collections, which need the store. */
    private final class Database extends H2Database {

        /** The index being created. Without initial value, because the library's constructor sets it. */
        private Document created;
        /** The collections that the library's constructor opens. Without initial value for the same reason. */
        private List<DocumentCollection> opening;
        private boolean isOpen;

        private Database(String name) {
            super(name, getMvStore(), getCursorRegistry());
            isOpen = true;
            opening.forEach(DocumentCollection::fillIndexes);
            opening = null;
        }

        @Override
        protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
            String fullName = getFullCollectionNamespace(name);
            MVMap.Builder<Object, Document> documents = new MVMap.Builder<Object, Document>().valueType(new DocumentType());
            DocumentCollection collection = new DocumentCollection(this, name, options,
                getMvStore().openMap(DOCUMENTS + fullName, documents), getMvStore().openMap(META + fullName), cursorRegistry);
            if (!isOpen) {
                opening = opening == null ? new ArrayList<>() : opening;
                opening.add(collection);
            }
            return collection;
        }

        @Override
        protected synchronized void addIndex(Document description) {
            // The first index of a collection creates that of its ids in between.
            Document outer = created;
            created = description;
            try {
                super.addIndex(description);
            } finally {
                created = outer;
            }
        }

        @Override
        protected Index<Object> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
            return indexOf(collection, name, keys, true, sparse);
        }

        @Override
        protected Index<Object> openOrCreateSecondaryIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
            return indexOf(collection, name, keys, false, sparse);
        }

        /** Indexes that the library's constructor opens are filled later, all of a collection at once. */
        private Index<Object> indexOf(String collection, String name, List<IndexKey> keys, boolean unique, boolean sparse) {
            OrderedIndex index = new OrderedIndex(name, keys, unique, sparse, filterOf(collection, name));
            return isOpen || collection.startsWith("system.") ? index : index.filledLater();
        }

        private Document filterOf(String collection, String name) {
            Document description = created;
            if (description == null) {
                Document wanted = new Document("ns", getFullCollectionNamespace(collection)).append("name", name);
                description = indexes.get().handleQueryAsStream(wanted).findFirst().orElseGet(Document::new);
            }
            return (Document) description.get("partialFilterExpression");
        }

        /** The library would also drop databases whose names begin with this one. */
        @Override
        public void drop(Oplog oplog) {
            String prefix = DOCUMENTS + getDatabaseName() + ".";
            List<String> names = getMvStore().getMapNames().stream().filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length())).toList();
            names.stream().filter(name -> !name.startsWith("system.")).forEach(name -> dropCollection(name, oplog));
            for (String system : List.of("system.indexes", "system.namespaces")) {
                if (resolveCollection(system, false) != null) {
                    dropCollection(system, oplog);
                }
            }
        }

        /** The library would keep the documents under the old name, where the next start does not find them. */
        @Override
        public void moveCollection(MongoDatabase from, MongoCollection<?> collection, String newName) {
            String oldFullName = collection.getFullName();
            super.moveCollection(from, collection, newName);
            for (String kind : List.of(DOCUMENTS, META)) {
                String name = kind + getFullCollectionNamespace(newName);
                getMvStore().removeMap(name);
                getMvStore().renameMap(getMvStore().openMap(kind + oldFullName), name);
            }
        }
    }
}
