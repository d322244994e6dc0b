import { ratios, type Aspect, type Ratio } from './port.ts'

const named: ReadonlyMap<string, Ratio> = new Map<Aspect, Ratio>([['landscape', '3:2'], ['square', '1:1'], ['portrait', '2:3']])
const largest = 32
const widest = 3

/** The ratio that a client asks for: a word, or numbers such as `4:3`, which become the nearest ratio there is. */
export function toRatio(text: string | undefined): Ratio | undefined {
  const word = text?.trim().toLowerCase() ?? ''
  const [, width, height] = /^(\d{1,2}):(\d{1,2})$/.exec(word) ?? []
  return named.get(word) ?? nearest(Number(width), Number(height))
}

const numbers = /(?<!\d|:)(?<at>\bat\s+)?(?<width>\d{1,2}):(?<height>\d{1,2})(?!\d|:)(?<time>\s?[ap]\.?m\b)?/gi
const wide = /\b(?:widescreen|wide-screen|ultra-?wide|ultra wide)\b/i
const orientation = /\b(portrait|landscape)\s+(?:aspect\s+)?(?:ratio|aspect|orientation|format)\b|\b(?:ratio|aspect|orientation|format)(?:\s+(?:is|of|in)|\s?[:=])?\s+(portrait|landscape)\b/i

/** The ratio that a prompt names; times of day are none. */
export function ratioIn(prompt: string): Ratio | undefined {
  for (const { groups = {} } of prompt.matchAll(numbers)) {
    const isTime = groups['at'] !== undefined || groups['time'] !== undefined
    const ratio = isTime ? undefined : nearest(Number(groups['width']), Number(groups['height']))
    if (ratio) return ratio
  }
  if (/\bsquare\b/i.test(prompt)) return '1:1'
  const [, before, behind] = orientation.exec(prompt) ?? []
  return named.get((before ?? behind ?? '').toLowerCase()) ?? (wide.test(prompt) ? '16:9' : undefined)
}

function nearest(width: number, height: number): Ratio | undefined {
  const isOne = [width, height].every((side) => side >= 1 && side <= largest) && width / height <= widest && height / width <= widest
  if (!isOne) return undefined
  const distance = (ratio: Ratio): number => {
    const [w, h] = ratio.split(':').map(Number)
    return Math.abs(Math.log((width / height) * (Number(h) / Number(w))))
  }
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0]
}
