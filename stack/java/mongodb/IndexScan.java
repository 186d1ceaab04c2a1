package covalence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;

/**
 * Uses one index for a query: equality on its first fields, then at most one range. It yields every matching document
 * and possibly more; the query is still applied to each.
 */
record IndexScan(OrderedIndex index, List<List<Object>> prefixes, Map<String, Object> range) {

    /** The scan of the most selective or sorting index; null when none fits. */
    static IndexScan best(List<Index<Object>> indexes, Document query, Document order) {
        Map<String, Object> conditions = conditions(query);
        IndexScan best = null;
        for (Index<Object> each : indexes) {
            IndexScan scan = of((OrderedIndex) each, conditions);
            if (scan != null && scan.worth(order) > (best == null ? 0 : best.worth(order))) {
                best = scan;
            }
        }
        return best;
    }

    /** The scans of the branches of an $or; null unless every branch has one. */
    static List<IndexScan> ofBranches(List<Index<Object>> indexes, Document query) {
        if (!(query.get("$or") instanceof Collection<?> branches)) {
            return null;
        }
        List<IndexScan> scans = new ArrayList<>();
        for (Object branch : branches) {
            IndexScan scan = branch instanceof Document document ? best(indexes, document, null) : null;
            if (scan == null) {
                return null;
            }
            scans.add(scan);
        }
        return scans;
    }

    private static Map<String, Object> conditions(Document query) {
        Map<String, Object> conditions = new LinkedHashMap<>();
        query.forEach((field, condition) -> {
            if (field.equals("$and") && condition instanceof Collection<?> all) {
                all.forEach(part -> {
                    if (part instanceof Document document) {
                        conditions(document).forEach(conditions::putIfAbsent);
                    }
                });
            } else if (!field.startsWith("$")) {
                conditions.put(field, condition);
            }
        });
        return conditions;
    }

    private static IndexScan of(OrderedIndex index, Map<String, Object> conditions) {
        List<List<Object>> prefixes = List.of(List.of());
        for (String field : index.fields()) {
            Object condition = conditions.get(field);
            List<Object> values = conditions.containsKey(field) ? equalTo(condition) : null;
            if (values == null) {
                return allowed(new IndexScan(index, prefixes, range(index, condition)), conditions);
            }
            List<List<Object>> longer = new ArrayList<>();
            prefixes.forEach(prefix -> values.forEach(value -> longer.add(append(prefix, value))));
            prefixes = longer;
        }
        return allowed(new IndexScan(index, prefixes, Map.of()), conditions);
    }

    /** A sparse or partial index can be used only if no document outside of it can match. */
    private static IndexScan allowed(IndexScan scan, Map<String, Object> conditions) {
        if (!scan.index.isSelective()) {
            return scan;
        }
        boolean named = !scan.range.isEmpty() || (scan.equalities() > 0 && scan.prefixes.stream().noneMatch(p -> p.contains(null)));
        return named && scan.index.isFilteredBy(conditions) ? scan : null;
    }

    /** The values that an equality allows; null for any other condition. */
    private static List<Object> equalTo(Object condition) {
        if (!(condition instanceof Document operators)) {
            return scalar(condition) ? normalized(condition) : null;
        }
        if (operators.containsKey("$eq")) {
            return equalTo(operators.get("$eq"));
        }
        if (operators.get("$in") instanceof Collection<?> values && values.stream().allMatch(IndexScan::scalar)) {
            return normalized(values.toArray()).stream().distinct().toList();
        }
        return null;
    }

    /** Converts numbers to the form of the index. */
    private static List<Object> normalized(Object... values) {
        return values.length == 0 ? List.of() : new KeyValue(values).normalized().stream().toList();
    }

    private static boolean scalar(Object value) {
        return !(value instanceof Collection || value instanceof Document || BsonRegularExpression.isRegularExpression(value));
    }

    private static Map<String, Object> range(OrderedIndex index, Object condition) {
        Map<String, Object> range = new LinkedHashMap<>();
        if (!(condition instanceof Document document)) {
            return range;
        }
        for (String operator : List.of("$gt", "$gte", "$lt", "$lte")) {
            Object bound = document.get(operator);
            if (bound != null && scalar(bound)) {
                range.put(operator, normalized(bound).getFirst());
            }
        }
        if (range.isEmpty() && index.isSparseOnly() && Boolean.TRUE.equals(document.get("$exists"))) {
            range.put("$exists", true);
        }
        return range;
    }

    private static List<Object> append(List<Object> prefix, Object... more) {
        List<Object> longer = new ArrayList<>(prefix);
        longer.addAll(Arrays.asList(more));
        return longer;
    }

    private int equalities() {
        return prefixes.isEmpty() ? index.fields().size() : prefixes.get(0).size();
    }

    private int worth(Document order) {
        int all = equalities() == index.fields().size() && index.isUnique() ? 100 : 0;
        return all + 4 * equalities() + (range.isEmpty() ? 0 : 2) + (sorts(order) ? 1 : 0);
    }

    /** Whether the scan yields documents in this order, so that a limit can end it early. */
    boolean sorts(Document order) {
        if (order == null || order.isEmpty() || index.isOverArrays() || prefixes.size() != 1) {
            return false;
        }
        List<String> rest = index.fields().subList(equalities(), index.fields().size());
        List<String> asked = new ArrayList<>(order.keySet());
        boolean oneWay = order.values().stream().map(IndexScan::descends).distinct().count() == 1;
        return oneWay && asked.size() <= rest.size() && rest.subList(0, asked.size()).equals(asked);
    }

    private static boolean descends(Object direction) {
        return direction instanceof Number number && number.intValue() < 0;
    }

    /** The positions of all documents that can match, sorted if possible. */
    Stream<Object> positions(Document order) {
        boolean descending = sorts(order) && descends(order.values().iterator().next());
        Stream<Object> positions = prefixes.stream().flatMap(prefix -> index.positions(from(prefix), to(prefix), descending));
        return prefixes.size() > 1 ? positions.distinct() : positions;
    }

    private List<Object> from(List<Object> prefix) {
        if (range.containsKey("$gt")) {
            return append(prefix, range.get("$gt"), OrderedIndex.HIGHEST);
        }
        if (range.containsKey("$gte")) {
            return append(prefix, range.get("$gte"), OrderedIndex.LOWEST);
        }
        boolean upperOnly = range.containsKey("$lt") || range.containsKey("$lte");
        // A range excludes null, which sorts first.
        return upperOnly ? append(prefix, null, OrderedIndex.HIGHEST) : append(prefix, OrderedIndex.LOWEST);
    }

    private List<Object> to(List<Object> prefix) {
        if (range.containsKey("$lt")) {
            return append(prefix, range.get("$lt"), OrderedIndex.LOWEST);
        }
        if (range.containsKey("$lte")) {
            return append(prefix, range.get("$lte"), OrderedIndex.HIGHEST);
        }
        return append(prefix, OrderedIndex.HIGHEST);
    }
}
