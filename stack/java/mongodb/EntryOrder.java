package covalence;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;

import de.bwaldvogel.mongo.backend.ValueComparator;

/** Compares index entries value by value in MongoDB's order of types. */
final class EntryOrder implements Comparator<List<Object>> {

    private static final ValueComparator VALUES = ValueComparator.ascWithoutListHandling();

    @Override
    public int compare(List<Object> left, List<Object> right) {
        int shared = Math.min(left.size(), right.size());
        for (int i = 0; i < shared; i++) {
            int order = compareValues(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    static int compareValues(Object left, Object right) {
        if (left == right) {
            return 0;
        }
        if (left == OrderedIndex.LOWEST || right == OrderedIndex.HIGHEST) {
            return -1;
        }
        if (left == OrderedIndex.HIGHEST || right == OrderedIndex.LOWEST) {
            return 1;
        }
        if (left instanceof Number a && right instanceof Number b) {
            return compareNumbers(a, b);
        }
        return VALUES.compare(left, right);
    }

    /** The library would ignore the fraction of large numbers, which matters in a unique index. */
    private static int compareNumbers(Number left, Number right) {
        boolean whole = left instanceof Long || right instanceof Long;
        if (!whole || !Double.isFinite(left.doubleValue()) || !Double.isFinite(right.doubleValue())) {
            return Double.compare(left.doubleValue(), right.doubleValue());
        }
        return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString()));
    }
}
