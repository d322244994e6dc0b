import * as v from 'valibot'
import { countOption, defineRefusal, definePlugin, optional } from '../../../kernel/index.ts'
import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import type { Immutable } from '../../content/plain-object.ts'
import { withShownText } from '../../content/shown-text.ts'
import { demoLock } from '../../demo/port.ts'
import { type Committed, declaredTypes, drafts, readCapabilities, toCommitContext } from '../port.ts'
import { type DraftId, scope } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { routes, tooManyOperations } from './routes.ts'
import { type Applied, exampleFor } from './schemas.ts'

/** Applies typed operations to a draft. */
export default definePlugin({
  name: 'draft-ops',
  tag: 'Operations',
  options: v.object({ maxOperations: countOption(200) }),
  needs: { drafts, scope, sites, demoLock: optional(demoLock) },
  routes,
}).setup(({ needs: { drafts, scope, sites, demoLock }, options }) => ({
  handlers: {
    async apply(call) {
      const { body } = call
      const id = scope.draft(body)
      const edit = {
        kind: 'operations',
        source: 'direct',
        ops: readOperations(body.ops, id, options.maxOperations),
        manifest: await declaredTypes(body.componentsManifest, id, sites),
        allowStructuralEdits: readCapabilities(body.siteCapabilities),
        playground: demoLock?.playground,
      } as const
      return {
        status: 200,
        body: await drafts.commit(
          { id, edit, ...toCommitContext('/ops', call, body.baseVersion) },
          toApplied,
        ),
      }
    },
  },
}))

/** Reads operations. Refuses anything else with 400 and an example, and more than `limit` with 413. */
function readOperations(raw: unknown, id: DraftId, limit: number): readonly Operation[] {
  if (Array.isArray(raw) && raw.length > limit) throw tooManyOperations(limit)
  const parsed = parseOperations(raw)
  if (parsed.ok) return parsed.ops
  const missing = raw === undefined
  const message = missing ? 'ops is required: a list of at least one operation' : parsed.message
  throw invalidOperations(message, missing ? [{ path: 'ops', message }] : parsed.issues, exampleFor(id))
}

/** Returns the answer to an applied batch. */
function toApplied({ previewVersion, results, labels = [] }: Committed): Immutable<Applied> {
  if (!results) throw new Error('a batch of operations has no results')
  const { duplicatedPages, ...facts } = results
  return withShownText({
    status: 'applied',
    summary: 'Changes applied.',
    changes: labels,
    previewVersion,
    ...facts,
    ...(duplicatedPages.length > 0 && { duplicatedPages }),
  })
}

type Details = readonly { readonly path: string; readonly message: string }[]

const invalidOperations = defineRefusal({
  status: 400,
  code: 'schema_violation',
  reason: (message: string, _details: Details, _example: unknown) => message,
  extra: (_message, details, example) => ({ errorCode: 'schema_violation', details, example }),
})
