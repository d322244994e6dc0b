import type { Block, Page } from '../../../content/page.ts'
import { hasAny, hasPhrase, wordSet, type Words } from '../words.ts'
import type { CheckedPlan, Violation } from './check.ts'

const buttons = wordSet('cta ctas button buttons knopf knöpfe schaltfläche schaltflächen')
const closing = ['closing', 'footer', 'bottom', 'final', 'last', 'unten', 'ende', 'schluss', 'letzte', 'letzten']
const links = wordSet('link links verlinkung verlinkungen')
const unchanged = ['keep', 'unchanged', 'same', 'leave', 'unverändert', 'behalte', 'behalten', 'bleiben', 'lass', 'lasse']

/**
 * What a plan left out of a request that names the buttons of the hero and of the end of the page together.
 *
 * Both texts have to change; where the links are to stay, no link may.
 */
export function missedTargets({ input, words, after, ops }: CheckedPlan): readonly Violation[] {
  const page = input.draft.pages.find(({ slug }) => slug === input.selection.slug)
  if (!page || !namesBoth(words)) return []
  const targets = buttonsOf(page)
  if (!targets) return []
  const now = after.get(page.slug) ?? page
  const missed = targets.filter(({ id, props }) => now.blocks.find((block) => block.id === id)?.props['ctaText'] === props['ctaText'])
  const moved = keepsLinks(words) ? ops.flatMap((op, at) => ('patch' in op && Object.keys(op.patch).some(isLink) ? [at] : [])) : []
  return [
    ...missed.map(({ id }): Violation => ({ path: `block ${id}`, kind: 'target left out', message: 'the request names the button of this block; its ctaText has to change' })),
    ...moved.map((at): Violation => ({ path: `ops[${at}].patch`, kind: 'target left out', message: 'the request wants links to stay as they are; leave them out of the patch' })),
  ]
}

function namesBoth(words: Words): boolean {
  const isAboutButtons = hasAny(words, buttons) || hasPhrase(words, 'call to action') || hasPhrase(words, 'calls to action')
  return isAboutButtons && words.list.includes('hero') && closing.some((word) => words.list.includes(word))
}

const keepsLinks = (words: Words): boolean => hasAny(words, links) && unchanged.some((word) => words.list.includes(word))

const isLink = (name: string): boolean => name.toLowerCase().endsWith('href')

/** The hero with a button and the last other block with one. */
function buttonsOf({ blocks }: Page): readonly [Block, Block] | undefined {
  const isButton = ({ props }: Block): boolean => typeof props['ctaText'] === 'string' && props['ctaText'] !== ''
  const hero = blocks.find((block) => block.type === 'Hero' && isButton(block))
  const end = blocks.findLast((block) => block !== hero && isButton(block))
  return hero && end ? [hero, end] : undefined
}
