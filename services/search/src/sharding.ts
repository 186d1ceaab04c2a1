import { by, whole, type Sharding } from '@covalence/migrations/sharding';

const ofMember = 'the id of its member';

/** Distribution of the service's collections over the shards of a MongoDB cluster. */
export const sharding: Sharding = {
  alert_matches: by(
    'searcher',
    'its id begins with the searcher, of whom all are counted',
    'jobs: matches of a search or of a member; erasure',
  ),
  appearances: by('_id', ofMember),
  feeds: by('_id', ofMember),
  judged_searches: whole('at most 200 per set, made by staff'),
  judgment_results: whole('results of runs, made by staff'),
  judgment_runs: whole('made by staff'),
  judgment_sets: whole('at most 100 per site, made by staff'),
  leases: whole('one document per job'),
  markets: whole('one document per group of sites'),
  match_criteria: by('_id', ofMember),
  origins: by('_id', ofMember),
  ratings: whole('at most 20,000 per set, made by staff'),
  saved_searches: by('member', 'a name is unique for its member', 'jobs: alerts by id and by time'),
  settings: whole('published by staff'),
  staff_comparisons: whole('a few per account of the search team and hour'),
  standings: by('_id', ofMember, 'erasure'),
  tastes: by('_id', ofMember),
  usage_actions: by(
    'searcher',
    'an action follows a search of the same searcher',
    'figures and experiments; erasure',
  ),
  usage_experiments: whole('one runs at a time'),
  usage_recent: by('searcher', 'the last searches of a searcher are read together'),
  usage_searches: by('_id', 'found by the ids in usage_recent', 'export and erasure; figures, experiments'),
};
