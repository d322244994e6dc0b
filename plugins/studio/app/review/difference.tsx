import { diffWordsWithSpace } from 'diff'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const timeoutMs = 50

interface DifferenceProps {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 1)

/** One field before and after, with the words marked that differ. */
export function Difference({ name, before, after }: DifferenceProps) {
  const [old, now] = [textOf(before), textOf(after)]
  const parts = diffWordsWithSpace(old, now, { intlSegmenter: segmenter, timeout: timeoutMs })
  return (
    <div class="difference">
      <small>{name}</small>
      <p dir="auto">
        {parts
          ? parts.map(({ value, added, removed }, at) =>
              added ? (
                <ins key={at}>{value}</ins>
              ) : removed ? (
                <del key={at}>{value}</del>
              ) : (
                <span key={at}>{value}</span>
              ),
            )
          : [<del key="old">{old}</del>, ' ', <ins key="now">{now}</ins>]}
      </p>
    </div>
  )
}
