import java.net.InetSocketAddress;
import java.util.List;

import org.h2.mvstore.MVStore;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;

/** Serves MongoDB's wire protocol on 127.0.0.1 from memory, for the conformance suite. Argument: port. */
public final class SuiteDatabase extends H2Backend {

    /** The suite raises the version of its database's features to this one, which only MongoDB can. */
    private static final Document FEATURES = new Document("version", "6.0");

    public static void main(String[] arguments) {
        SuiteDatabase backend = new SuiteDatabase();
        backend.version(new Mongo50());
        new MongoServer(backend).bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
    }

    private SuiteDatabase() {
        super(new MVStore.Builder().open());
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        return command.equals("getParameter")
            ? new Document("featureCompatibilityVersion", FEATURES).append("ok", 1.0)
            : super.handleCommand(channel, database, command, query);
    }

    /** The oldest version that the suite's driver accepts. */
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
}
