package covalence;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.DuplicateKeyError;

/**
 * An index in memory: unique, compound, sparse, partial, over arrays. It is filled from the documents when the
 * collection is opened. The lock of its collection guards it.
 */
final class OrderedIndex extends Index<Object> {

    /** Bounds below and above every value. */
    static final Object LOWEST = new Object();
    static final Object HIGHEST = new Object();

    private static final Comparator<List<Object>> BY_VALUES = new EntryOrder();

    private final boolean primary;
    private final boolean unique;
    private final boolean sparse;
    private final Document filter;
    /** An entry is the key's values followed by the position (the document's _id). */
    private final NavigableSet<List<Object>> entries = new TreeSet<>(BY_VALUES);
    private boolean overArrays;
    private boolean isAwaited;

    OrderedIndex(String name, List<IndexKey> keys, boolean unique, boolean sparse, Document filter) {
        // The library asks every non-sparse index for positions; the primary index is enough.
        super(name, keys, !isPrimary(keys));
        this.primary = isPrimary(keys);
        this.unique = unique;
        this.sparse = sparse;
        this.filter = filter;
    }

    private static boolean isPrimary(List<IndexKey> keys) {
        return keys.size() == 1 && keys.get(0).getKey().equals("_id");
    }

    /** Reports that it is not empty, so that the library does not fill it from the whole collection. */
    OrderedIndex filledLater() {
        isAwaited = true;
        return this;
    }

    boolean isAwaited() {
        return isAwaited;
    }

    void filled() {
        isAwaited = false;
    }

    @Override
    public boolean isEmpty() {
        return !isAwaited && super.isEmpty();
    }

    List<String> fields() {
        return keys();
    }

    /** Whether a document may be missing from the index because it lacks the fields or does not match the filter. */
    boolean isSelective() {
        return sparse || filter != null;
    }

    boolean isSparseOnly() {
        return sparse && filter == null;
    }

    /** Whether the conditions contain the filter, so that the query matches only indexed documents. */
    boolean isFilteredBy(Map<String, Object> conditions) {
        return filter == null
            || filter.entrySet().stream().allMatch(part -> implies(conditions.get(part.getKey()), part.getValue()));
    }

    /** A bound excludes documents without the field, as $exists does. */
    private static boolean implies(Object condition, Object required) {
        return required.equals(condition)
            || (required.equals(new Document("$exists", true)) && condition instanceof Document bounds
                && Stream.of("$gt", "$gte", "$lt", "$lte").anyMatch(bound -> bounds.get(bound) != null));
    }

    /** Whether a document has an array here, so that keys are not in the order of documents. */
    boolean isOverArrays() {
        return overArrays;
    }

    /** The positions between two bounds, read lazily; a bound can be shorter than an entry. */
    Stream<Object> positions(List<Object> from, List<Object> to, boolean descending) {
        if (BY_VALUES.compare(from, to) > 0) {
            return Stream.empty();
        }
        NavigableSet<List<Object>> range = entries.subSet(from, true, to, true);
        Stream<Object> positions = (descending ? range.descendingSet() : range).stream().map(List::getLast);
        return overArrays ? positions.distinct() : positions;
    }

    private Set<List<Object>> keysOf(Document document) {
        if (sparse && keys().stream().allMatch(key -> valueOf(document, key) instanceof Missing)) {
            return Set.of();
        }
        if (filter != null && !new DefaultQueryMatcher().matches(document, filter)) {
            return Set.of();
        }
        if (keys().size() == 1 && keys().getFirst().indexOf('.') < 0) {
            Object value = document.getOrMissing(keys().getFirst());
            if (value != null && !(value instanceof Missing) && !(value instanceof Collection)) {
                return Set.of(new KeyValue(value).normalized().stream().toList());
            }
        }
        Set<KeyValue> values = getKeyValues(document);
        // An empty array yields no key; it is indexed as itself, so that the document can be found.
        Set<KeyValue> found = values.isEmpty()
            ? Set.of(new KeyValue(keys().stream().map(key -> valueOf(document, key)).toList()).normalized())
            : values;
        return found.stream().map(value -> value.stream().toList()).collect(Collectors.toSet());
    }

    private static Object valueOf(Document document, String key) {
        return Utils.getSubdocumentValueCollectionAware(document, key);
    }

    private static List<Object> extend(List<Object> key, Object last) {
        List<Object> extended = new ArrayList<>(key.size() + 1);
        extended.addAll(key);
        extended.add(last);
        return extended;
    }

    private NavigableSet<List<Object>> entriesOf(List<Object> key) {
        return entries.subSet(extend(key, LOWEST), true, extend(key, HIGHEST), true);
    }

    /** The position of a document; only the primary index answers. */
    @Override
    public Object getPosition(Document document) {
        if (!primary) {
            return null;
        }
        NavigableSet<List<Object>> found = entriesOf(keysOf(document).iterator().next());
        return found.isEmpty() ? null : found.first().get(1);
    }

    /** Refuses a duplicate; computing the keys refuses arrays in two fields of one index. */
    private void check(Document document, Document before, MongoCollection<Object> collection) {
        if (!unique && keys().size() == 1) {
            return;
        }
        for (List<Object> key : keysOf(document)) {
            for (List<Object> entry : unique ? entriesOf(key) : List.<List<Object>>of()) {
                if (before == null || EntryOrder.compareValues(entry.getLast(), before.get("_id")) != 0) {
                    throw new DuplicateKeyError(this, collection, getKeys(), new KeyValue(key));
                }
            }
        }
    }

    @Override
    public void checkAdd(Document document, MongoCollection<Object> collection) {
        check(document, null, collection);
    }

    @Override
    public void add(Document document, Object position, MongoCollection<Object> collection) {
        add(keysOf(document), position);
    }

    private void add(Set<List<Object>> keys, Object position) {
        overArrays |= keys.size() > 1 || keys.stream().anyMatch(key -> key.stream().anyMatch(List.class::isInstance));
        keys.forEach(key -> entries.add(extend(key, position)));
    }

    /** A key that occurs twice in a unique index, or null. */
    List<Object> duplicate() {
        List<Object> before = List.of();
        for (List<Object> entry : unique ? entries : List.<List<Object>>of()) {
            List<Object> key = entry.subList(0, entry.size() - 1);
            if (BY_VALUES.compare(before, key) == 0) {
                return key;
            }
            before = key;
        }
        return null;
    }

    @Override
    public Object remove(Document document) {
        Object position = primary ? getPosition(document) : document.get("_id");
        keysOf(document).forEach(key -> entries.remove(extend(key, position)));
        return primary ? position : null;
    }

    @Override
    public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
        check(after, before, collection);
    }

    @Override
    public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {
        Set<List<Object>> keysBefore = keysOf(before);
        Set<List<Object>> keysAfter = keysOf(after);
        if (!keysBefore.equals(keysAfter)) {
            keysBefore.forEach(key -> entries.remove(extend(key, position)));
            add(keysAfter, position);
        }
    }

    /** {@link IndexScan} plans queries, over all indexes. */
    @Override
    public boolean canHandle(Document query) {
        return false;
    }

    @Override
    public Iterable<Object> getPositions(Document query) {
        throw new UnsupportedOperationException("planned by IndexScan");
    }

    @Override
    public long getCount() {
        return entries.size();
    }

    @Override
    public long getDataSize() {
        return getCount();
    }

    @Override
    public boolean isUnique() {
        return unique;
    }

    @Override
    public boolean hasSameOptions(Index<?> other) {
        return other instanceof OrderedIndex index
            && keys().equals(index.keys())
            && unique == index.unique
            && sparse == index.sparse
            && Objects.equals(filter, index.filter);
    }

    @Override
    public void drop() {
        entries.clear();
    }
}
