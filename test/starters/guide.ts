/** The table of the guide. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Measured } from './scenario.ts'
import { percent } from './shares.ts'
import type { Starter } from './starter.ts'

const guide = new URL('../../config/EDIT.md', import.meta.url)
const marks = ['<!-- npm run test:hosts -->', '<!-- end -->'] as const
const head = [
  'Website',
  'Made by',
  'First letter typed after',
  '`dev` alone',
  'Words of a post',
  'Texts of the home page',
]

const seconds = (ms: number | undefined): string =>
  ms === undefined ? 'not measured' : `${(ms / 1000).toFixed(1)} s`

/** Writes what was measured between the marks of the guide. */
export function writeGuide(measured: ReadonlyMap<Starter, Measured>): void {
  const rows = [...measured].map(([{ name, origin }, { times, post, home }]) => [
    name,
    origin,
    seconds(times?.letterMs),
    seconds(times?.devMs),
    `${percent(post)} %`,
    `${percent(home)} %`,
  ])
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  const text = readFileSync(guide, 'utf8')
  const [from, to] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  if (from === -1 || to < from) throw new Error(`config/EDIT.md lacks ${marks.join(' and ')}`)
  writeFileSync(guide, `${text.slice(0, from)}${marks[0]}\n\n${lines.join('\n')}\n\n${text.slice(to)}`)
}
