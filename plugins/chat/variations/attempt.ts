import * as v from 'valibot'
import type { ModelTools } from '../../chat-model/port.ts'
import { withoutGeneratedItemIds } from '../../content/items.ts'
import type { Block, Props } from '../../content/model.ts'
import { sameJson } from '../../content/same-json.ts'
import { check, type CheckDeps } from '../pipeline/validate.ts'
import type { Variation } from '../result.ts'
import type { Run, RunContext } from '../types/run.ts'

const words = (most: number) => v.fallback(v.pipe(v.string(), v.trim(), v.transform((text) => text.slice(0, most))), '')
const Proposed = v.object({ title: words(80), summary: words(300), patch: v.record(v.string(), v.unknown()) })
const Answer = v.object({ variations: v.array(v.unknown()) })

/** A variation as a model proposed it. */
export type Proposed = v.InferOutput<typeof Proposed>

/** Reads the variations in an answer; `undefined` where it has no list of them. */
export function proposedIn(answered: string, { readJson }: ModelTools): readonly Proposed[] | undefined {
  const answer = v.safeParse(Answer, readJson(answered)?.value)
  if (!answer.success) return undefined
  return answer.output.variations.flatMap((each) => {
    const proposed = v.safeParse(Proposed, each)
    return proposed.success ? [proposed.output] : []
  })
}

/** What a patch comes to: the props that it changes as they would be, or why it cannot be applied. */
export type Tried = { readonly ok: true; readonly patch: Props } | { readonly ok: false; readonly problem: string }

/** Tries a patch out on the block, held to the rules that hold for plans. Nothing is written. */
export function tried(patch: Props, block: Block, { draft, selection: { slug } }: RunContext, { site }: Pick<Run, 'site'>, parts: CheckDeps): Tried {
  const op = { op: 'update_props', pageSlug: slug, blockId: block.id, patch } as const
  const checked = check([{ op }], { draft, slug, site }, parts)
  if (checked.kind === 'broken') return { ok: false, problem: checked.problems.join(' ') }
  const after = checked.kind === 'sound' && checked.change.pages.get(slug)?.after?.blocks.find(({ id }) => id === block.id)
  if (!after) return { ok: false, problem: 'a variation changes nothing' }
  const names = new Set([...Object.keys(block.props), ...Object.keys(after.props)])
  const changed = [...names].filter((name) => !sameJson(block.props[name], after.props[name]))
  return { ok: true, patch: Object.fromEntries(changed.map((name) => [name, after.props[name] ?? null])) }
}

/** Variations that differ from each other; of equal ones the first stays. */
export function distinct(variations: readonly Variation[]): readonly Variation[] {
  const seen: Props[] = []
  return variations.filter(({ patch }) => {
    const content = withoutGeneratedItemIds(patch)
    const isNew = !seen.some((each) => sameJson(each, content))
    seen.push(content)
    return isNew
  })
}
