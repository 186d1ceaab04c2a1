import { elasticsearchUrl, mongodbUrl, serviceUrl } from '@covalence/runtime/addresses';
import {
  integer,
  listOf,
  serviceConfig,
  settingAt,
  sitesFile,
  storesConfig,
} from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readMapping } from './index/mapping.ts';
import { readRelevance } from './relevance/relevance-settings.ts';

/** The path of a file in `settings`, from the sources and from the build. */
const shipped = (name: string) => fileURLToPath(new URL(`../settings/${name}`, import.meta.url));

/** The environment of the search service. */
export const configSchema = z.object({
  ...serviceConfig,
  ...storesConfig,
  SITES_FILE: sitesFile,
  /** Inner address of the auth service, for its JWKS. */
  AUTH_URL: serviceUrl,
  PROFILE_URL: serviceUrl,
  ELASTICSEARCH_URL: elasticsearchUrl,
  RELEVANCE_FILE: settingAt(readRelevance).prefault(shipped('relevance.json')).meta({
    description: 'weights and other settings of the order ([search.md](search.md))',
    default: 'shipped',
  }),
  MAPPING_FILE: settingAt(readMapping)
    .prefault(shipped('mapping.json'))
    .meta({ description: 'mapping of the index ([search.md](search.md))', default: 'shipped' }),
  SEARCH_CENTERS_PER_HOUR: integer({ min: 1, max: 10_000, standard: 3_600 }).describe(
    'places that a member may measure distances from; 10,000 locate nobody',
  ),
  USAGE_SECRET: listOf(z.string().min(32)).optional().meta({
    description: 'for the names in [recorded searches](search.md#learn-from-use), by commas',
  }),
});

/** The settings of a comparison that needs Elasticsearch alone. */
export const labConfigSchema = configSchema
  .pick({
    NAMESPACE: true,
    LOG_LEVEL: true,
    SITES_FILE: true,
    ELASTICSEARCH_URL: true,
    RELEVANCE_FILE: true,
    MAPPING_FILE: true,
  })
  // With it, the analysis in force is the current one.
  .extend({ MONGODB_URL: mongodbUrl.optional() });

/** The checked configuration. */
export type Config = z.output<typeof configSchema>;
