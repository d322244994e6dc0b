import { Picture } from '../fields/picture.tsx'
import { isOther } from './other-text.ts'
import { wordDiff } from './word-diff.ts'
import { readingOf, wordsOf } from '../stores/words.ts'

/** An unchanged part that is longer is folded, but for its ends. */
const longestUnchanged = 240
const end = 80

export interface DifferenceProps {
  readonly name?: string
  readonly kind?: 'text' | 'image' | 'other' | undefined
  readonly before?: unknown
  readonly after?: unknown
  /** The kind of its field, if that is known. */
  readonly field?: string | undefined
}

/** One field before and after: pictures beside each other, or the words marked that differ. */
export function Difference({
  name,
  kind,
  before,
  after,
  field = kind === 'other' ? '' : 'text',
}: DifferenceProps) {
  const raw = [wordsOf(before), wordsOf(after)] as const
  const read = [readingOf(before, field), readingOf(after, field)] as const
  // Where only the marks differ, they are shown.
  const [old, now] = kind === 'image' || read[0] === read[1] ? raw : read
  return (
    <div class="difference">
      {name !== undefined && <small>{name}</small>}
      {kind === 'image' ? <Pictures before={old} after={now} /> : <Words before={old} after={now} />}
    </div>
  )
}

interface SidesProps {
  readonly before: string
  readonly after: string
}

/** One of two texts, with its words marked that the other one lacks. */
export function Marked({ text, other }: { readonly text: string; readonly other: string }) {
  const parts = wordDiff(other, text)
  return (
    <div class="words" dir="auto">
      {!parts || isOther(parts)
        ? text
        : parts
            .filter(({ removed }) => !removed)
            .map(({ value, added }, at) =>
              added ? <mark key={at}>{value}</mark> : <span key={at}>{value}</span>,
            )}
    </div>
  )
}

function Words({ before, after }: SidesProps) {
  const parts = wordDiff(before, after)
  if (!parts || isOther(parts))
    return (
      <div class="words" dir="auto">
        {before !== '' && <del>{before}</del>}
        {before !== '' && after !== '' && '\n'}
        {after !== '' && <ins>{after}</ins>}
      </div>
    )
  return (
    <div class="words" dir="auto">
      {parts.map(({ value, added, removed }, at) =>
        added ? (
          <ins key={at}>{value}</ins>
        ) : removed ? (
          <del key={at}>{value}</del>
        ) : (
          <Unchanged key={at} text={value} />
        ),
      )}
    </div>
  )
}

function Unchanged({ text }: { readonly text: string }) {
  if (text.length <= longestUnchanged) return <span>{text}</span>
  return (
    <span>
      {text.slice(0, end)}
      <details class="fold">
        <summary>unchanged text</summary>
        {text.slice(end, -end)}
      </details>
      {text.slice(-end)}
    </span>
  )
}

const Pictures = ({ before, after }: SidesProps) => (
  <div class="pictures">
    {[
      { value: before, when: 'before' },
      { value: after, when: 'after' },
    ].map(({ value, when }) => (
      <figure key={when}>
        <figcaption>{when}</figcaption>
        <Picture value={value} />
      </figure>
    ))}
  </div>
)
