import type { ImageScene } from '../chat/port.ts'
import type { Props } from '../content/model.ts'
import { isPlainObject } from '../content/plain-object.ts'
import type { Target } from './fields.ts'

const mostKeywords = 4
/** Fewer words are too vague for a query. */
const fewKeywords = 2
const names = 'imageAlt alt title heading name author caption label description text body quote'.split(' ')
const sections = 'title heading eyebrow subheading description'.split(' ')
const fillers = 'the a an and or of for to in on at with by from our your my we you is are it its this that'
const empty: ReadonlySet<string> = new Set(fillers.split(' '))

/** Returns the search query: the words of the plan, or else the texts next to the image. */
export function queryFor(said: string, { at, props, around }: Target, scene: ImageScene): string {
  if (said !== '') return said
  const near = keywordsOf(names.map((name) => props[name]).find(isText))
  if (near.length >= fewKeywords) return near.join(' ')
  const further = keywordsOf(sections.map((name) => around[name]).find(isText) ?? titleOf(at, scene))
  return [...new Set([...near, ...further])].slice(0, mostKeywords).join(' ')
}

/** The title of the page with the image; `undefined` for the logo. */
const titleOf = (at: Target['at'], { draft }: ImageScene): string | undefined =>
  'pageSlug' in at ? draft.pages.find(({ slug }) => slug === at.pageSlug)?.title : undefined

const isText = (value: unknown): value is string => typeof value === 'string' && keywordsOf(value).length > 0

/** The first meaningful words of a text. */
function keywordsOf(text = ''): readonly string[] {
  const words =
    text
      .slice(0, 1_000)
      .replace(/<[^<>]{0,200}>/g, ' ')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.filter((word) => !empty.has(word.toLowerCase())).slice(0, mostKeywords)
}

/** Returns every string in a value that reads as an address, to avoid using an image twice. */
export function addressesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^(?:https?:)?\//.test(value) ? [value] : []
  const inside: Props | readonly unknown[] = Array.isArray(value) || isPlainObject(value) ? value : []
  return Object.values(inside).flatMap(addressesIn)
}
