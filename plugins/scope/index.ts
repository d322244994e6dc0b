import * as v from 'valibot'
import { definePlugin } from '../../kernel/index.ts'
import { scope } from './port.ts'
import { createScope, normaliseSiteId } from './scope.ts'

// For the command line.
export { normaliseSiteId } from './scope.ts'

const siteId = v.pipe(
  v.string(),
  v.transform(normaliseSiteId),
  v.regex(/^[a-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"'),
)

/** The id that existing clients send for the site of a single-site installation. */
const firstSiteId = 'avocado-stories'

/** Reads site ids and sessions as clients write them. */
export default definePlugin({
  name: 'scope',
  tag: 'Sites',
  options: v.object({ siteId: v.optional(siteId) }),
  env: v.object({
    ORCHESTRATOR_DEFAULT_SITE_ID: v.pipe(
      v.optional(siteId),
      v.description('The site of a request that names none.'),
      v.metadata({ otherwise: firstSiteId }),
    ),
  }),
  gives: { scope },
}).setup(({ options, env }) => ({
  gives: { scope: createScope(env.ORCHESTRATOR_DEFAULT_SITE_ID ?? options.siteId ?? firstSiteId) },
}))
