package covalence;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

import de.bwaldvogel.mongo.bson.Document;

/** Read-write locks per database: a removal waits for running commands, and later ones wait for the removal. */
final class DropLocks {

    private static final Set<String> REMOVALS = Set.of("drop", "dropDatabase", "renameCollection");

    private final ConcurrentMap<String, ReadWriteLock> locks = new ConcurrentHashMap<>();

    <T> T run(String database, String command, Document query, Supplier<T> work) {
        return REMOVALS.contains(command) ? holding(lockOf(named(database, command, query)).writeLock(), work)
            : using(database, work);
    }

    <T> T using(String database, Supplier<T> work) {
        return holding(lockOf(database).readLock(), work);
    }

    private ReadWriteLock lockOf(String database) {
        return locks.computeIfAbsent(database, name -> new ReentrantReadWriteLock());
    }

    /** renameCollection goes to the database "admin" and contains the full name. */
    private static String named(String database, String command, Document query) {
        return command.equals("renameCollection") ? String.valueOf(query.get(command)).split("\\.", 2)[0] : database;
    }

    private static <T> T holding(Lock lock, Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
