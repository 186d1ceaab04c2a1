package covalence;

import java.nio.ByteBuffer;

import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.ObjectDataType;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Stores documents as BSON, several times as fast as the library's Java serialization. Documents of older files in that
 * form remain readable.
 */
final class DocumentType extends BasicDataType<Document> {

    /** Marks BSON; no serialized form of the library begins with it. */
    private static final byte BSON = 127;
    private static final int USUAL_BYTES = 1_024;
    /** Ratio of the size in memory to the size in the file. */
    private static final int WEIGHT = 3;
    private static final ThreadLocal<ByteBuf> BUFFERS = ThreadLocal.withInitial(() -> Unpooled.buffer(8 * USUAL_BYTES));

    private final ObjectDataType serialized = new ObjectDataType();
    private volatile int averageBytes = USUAL_BYTES;

    /** The store splits and caches pages by it; an average suffices. */
    @Override
    public int getMemory(Document document) {
        return WEIGHT * averageBytes;
    }

    @Override
    public void write(WriteBuffer page, Document document) {
        ByteBuf bytes = BUFFERS.get().clear();
        BsonEncoder.encodeDocument(document, bytes);
        page.put(BSON).put(bytes.array(), bytes.arrayOffset(), bytes.readableBytes());
        count(bytes.readableBytes());
    }

    @Override
    public Document read(ByteBuffer page) {
        if (page.get(page.position()) != BSON) {
            return (Document) serialized.read(page);
        }
        page.get();
        ByteBuf bytes = Unpooled.wrappedBuffer(page);
        Document document = BsonDecoder.decodeBson(bytes);
        count(bytes.readerIndex());
        page.position(page.position() + bytes.readerIndex());
        return document;
    }

    private void count(int bytes) {
        averageBytes = (15 * averageBytes + bytes) / 16;
    }

    @Override
    public int compare(Document left, Document right) {
        return serialized.compare(left, right);
    }

    @Override
    public Document[] createStorage(int size) {
        return new Document[size];
    }
}
