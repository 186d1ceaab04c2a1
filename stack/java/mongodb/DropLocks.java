package covalence;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

import de.bwaldvogel.mongo.bson.Document;

/**
 * What removes a collection or a database waits for the commands that use it, and later ones wait for the removal. The
 * library lets them meet, and the command finds its documents closed.
 */
final class DropLocks {

    private static final Set<String> REMOVALS = Set.of("drop", "dropDatabase", "renameCollection");

    private final ConcurrentMap<String, ReadWriteLock> locks = new ConcurrentHashMap<>();

    <T> T around(String database, String command, Document query, Supplier<T> work) {
        return REMOVALS.contains(command) ? holding(lockOf(named(database, command, query)).writeLock(), work)
            : using(database, work);
    }

    <T> T using(String database, Supplier<T> work) {
        return holding(lockOf(database).readLock(), work);
    }

    private ReadWriteLock lockOf(String database) {
        return locks.computeIfAbsent(database, name -> new ReentrantReadWriteLock());
    }

    /** A collection is renamed by a command to the database "admin" that names it in full. */
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
