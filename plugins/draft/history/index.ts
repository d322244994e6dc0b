import * as v from 'valibot'
import { definePlugin } from '../../../kernel/index.ts'
import { diffSiteConfig, diffStates } from '../../content/diff/index.ts'
import { withShownText } from '../../content/shown-text.ts'
import { refuseAddress } from '../../auth/port.ts'
import { baselines } from '../../baseline/port.ts'
import {
  declaredTypes,
  drafts,
  noSuchVersion,
  toCommitContext,
  toOrigin,
  type Actor,
  type Committed,
  type CommitRequest,
  type Edit,
} from '../port.ts'
import { scope, type ScopeRequest } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { afterDiscard, planDiscard } from './discard.ts'
import { routes } from './routes.ts'
import { type StepBody, StepTaken } from './schemas.ts'

/** Undo, redo, restore and discard over the change records of a draft. */
export default definePlugin({
  name: 'draft-history',
  tag: 'History',
  needs: { drafts, baselines, scope, sites },
  routes,
}).setup(({ needs: { drafts, baselines, scope, sites } }) => {
  const take = async (route: string, call: ChangingCall, toEdit: (actor: Actor) => Edit) => {
    const given = context(route, call)
    const id = scope.draft(call.body)
    const manifest = await declaredTypes(undefined, id, sites)
    const request = { id, edit: { ...toEdit(given.actor), manifest }, ...given }
    return { status: 200, body: await drafts.commit(request, toStepTaken) } as const
  }
  const step = (kind: 'undo' | 'redo', call: ChangingCall & { readonly body: StepBody }) => {
    const { slug, mine = false } = call.body
    return take(`/history/${kind}`, call, (actor) => ({ kind, slug, ...(mine && { mine: actor }) }))
  }
  return {
    handlers: {
      async status({ query, caller, header }) {
        const { slug, names, mine } = query
        const actor = mine === '1' ? toOrigin({ caller, header, body: query }).actor : undefined
        const options = { names: names === '1', mine: actor }
        return { status: 200, body: await drafts.steps(scope.draft(query), slug, options) }
      },
      async log({ query }) {
        const id = scope.draft(query)
        const entries = await drafts.log(id, query)
        return { status: 200, body: { entries, currentVersion: (await drafts.head(id)).version } }
      },
      async page({ query }) {
        const { slug, version, against } = query
        const id = scope.draft(query)
        const at = await drafts.pageAt(id, slug, version)
        if (!at) throw noSuchVersion(version)
        const { entry, before, page, now, canUndo } = at
        const settings = diffSiteConfig(at.config.before, at.config.after).fieldDiffs
        const changes = diffStates(against === 'now' ? { before: page, after: now } : { before, after: page })
        const body = { entry, before: before ?? null, page: page ?? null, changes, settings, canUndo }
        return { status: 200, body }
      },
      undo: (call) => step('undo', call),
      redo: (call) => step('redo', call),
      undoChange: (call) => {
        const { version, withDependents = false } = call.body
        return take('/history/undo-change', call, () => ({ kind: 'undo-change', version, withDependents }))
      },
      restore: (call) =>
        take('/history/restore', call, () => ({ kind: 'restore', version: call.body.targetVersion })),
      async discard(call) {
        refuseAddress(call.caller, call.body.siteOrigin)
        const request = { id: scope.draft(call.body), ...context('/history/discard', call) }
        const again = await drafts.answered(request)
        if (again) return { status: 200, body: v.parse(StepTaken, again.answer) }
        const { edit, expect, back } = await planDiscard(request.id, call.body, { drafts, baselines, sites })
        const toAnswer = (committed: Committed) => toStepTaken(afterDiscard(committed, call.body.slug, back))
        return {
          status: 200,
          body: await drafts.commit({ ...request, edit, expect: request.expect ?? expect }, toAnswer),
        }
      },
    },
  }
})

type ChangingCall = Parameters<typeof toCommitContext>[1] & {
  readonly body: ScopeRequest & { readonly baseVersion?: number | undefined }
}

function context(route: string, call: ChangingCall): Omit<CommitRequest, 'id' | 'edit'> {
  const given = toCommitContext(route, call, call.body.baseVersion)
  return { ...given, channel: given.channel === 'api' ? 'history' : given.channel }
}

const toStepTaken = ({
  previewVersion,
  canUndo = false,
  canRedo = false,
  navigateToSlug,
  notes,
}: Committed) =>
  withShownText({ status: 'applied', previewVersion, canUndo, canRedo, navigateToSlug, notes } as const)
