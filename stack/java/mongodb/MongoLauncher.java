package covalence;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.h2.mvstore.MVStore;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;

/** Serves MongoDB's wire protocol on 127.0.0.1 from one file. Arguments: port, file. SIGTERM closes it. */
public final class MongoLauncher {

    private static final int CACHE_MEGABYTES = 64;
    /** A request occupies a thread; with few threads a slow query would block other clients. */
    private static final int WORKERS = 16;
    /** The interval of MongoDB; tests shorten it. */
    private static final int EXPIRY_SECONDS = Integer.getInteger("covalence.expiry.seconds", 60);

    public static void main(String[] arguments) {
        int port = Integer.parseInt(arguments[0]);
        MVStore store = new MVStore.Builder().fileName(arguments[1]).cacheSize(CACHE_MEGABYTES).open();
        DurableBackend backend = new DurableBackend(store);
        backend.version(new Mongo50());
        MongoServer server = new MongoServer(backend);
        server.bind(new InetSocketAddress("127.0.0.1", port), 1, WORKERS);
        ScheduledExecutorService expiry = Executors.newSingleThreadScheduledExecutor();
        expiry.scheduleWithFixedDelay(backend::expire, EXPIRY_SECONDS, EXPIRY_SECONDS, TimeUnit.SECONDS);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        System.out.println("listening on 127.0.0.1:" + port);
    }

    /** The version that current drivers require. */
    private static final class Mongo50 implements MongoVersion {

        @Override
        public List<Integer> getVersionArray() {
            return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 13;
        }
    }

    private MongoLauncher() {
    }
}
