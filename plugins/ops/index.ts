import * as v from 'valibot'
import { countOption, definePlugin, optional } from '../../kernel/index.ts'
import { builtinRegistry } from '../content/registry.ts'
import { demoLock } from '../demo/port.ts'
import { drafts, readCapabilities, readManifest, toCommitContext } from '../draft/port.ts'
import { scope } from '../scope/port.ts'
import { routes } from './routes.ts'
import { readOperations, toApplied } from './service.ts'

/** Applies typed operations to a draft. */
export default definePlugin({
  name: 'ops',
  tag: 'Operations',
  options: v.object({ maxOperations: countOption(200) }),
  needs: { drafts, scope, demoLock: optional(demoLock) },
  routes,
}).setup(({ needs: { drafts, scope, demoLock }, options }) => ({
  handlers: {
    async apply(call) {
      const { body } = call
      const id = scope.draft(body)
      const edit = {
        kind: 'operations',
        source: 'direct',
        ops: readOperations(body.ops, id, options.maxOperations),
        manifest: readManifest(body.componentsManifest, builtinRegistry),
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
