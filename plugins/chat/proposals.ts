import { declaredTypes, personOf } from '../draft/port.ts'
import { intentOf } from './message.ts'
import { together } from './pipeline/commit.ts'
import { readDraft } from './pipeline/reading.ts'
import type { Chat } from './pipeline/run.ts'
import { check } from './pipeline/validate.ts'
import { placesOf } from './places.ts'
import { problemsOf, toSummary } from './plan-reads.ts'
import { ownerOf } from './sessions/pending-plans.ts'
import type { PlanProposals } from './types/run.ts'

const longestMessage = 2_000

/** Creates the functions with which other plugins hold a plan for approval, as chat holds its own. */
export function createProposals(chat: Chat): PlanProposals {
  const { pendingPlans, wholeDrafts } = chat
  return {
    hold: (id, { ops, slug, message, componentsManifest, actor, ...plan }) =>
      wholeDrafts.use(id, async () => {
        const draft = await readDraft(chat, id)
        const manifest = await declaredTypes(componentsManifest, id, chat.sites)
        const site = { manifest, allowStructuralEdits: plan.allowStructuralEdits }
        const [first] = draft.pages
        const selected = draft.pages.find((page) => page.slug === slug) ?? first
        const selection = { slug: selected?.slug ?? slug }
        const steps = ops.map((op) => ({ op }))
        const checked = check(steps, site, { draft, selection }, chat)
        if (!checked.ok) return { ok: false, problems: problemsOf(checked) }
        const held = await pendingPlans.hold(id, {
          ...plan,
          ...ownerOf(actor),
          places: placesOf({ ...checked.change, ops }),
          selection,
          steps: checked.steps,
          notes: checked.notes,
          images: [],
          suggestions: [],
          message: message.slice(0, longestMessage),
          promptHash: chat.promptHash(message),
          requestedSlug: slug,
          mentionedSlugs: [...(checked.applied?.results.mentionedSlugs ?? [])],
          draftVersion: draft.version,
          componentsManifest: componentsManifest || (await chat.sites.blocks(id)),
        })
        return { ok: true, plan: toSummary(held, draft.pages, site) }
      }),
    async isAnswered(id, actor, message) {
      const pending = await pendingPlans.find(id, personOf(actor))
      return pending !== undefined && intentOf('auto', message, { memory: {}, pending }) !== 'plan'
    },
    dropping: (id, actor) =>
      together([
        pendingPlans.dropping(id, personOf(actor)),
        pendingPlans.outdating(id, { by: actor, source: {}, report: () => undefined }),
      ]),
  }
}
