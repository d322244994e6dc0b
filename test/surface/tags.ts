import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathOf } from './doors.ts'
import { toMarkdown } from './markdown.ts'

/** The rooms of each tag of the interface, as a table. */
export function tagsTable(): string {
  const tagged = globSync('plugins/**/index.ts', { cwd: pathOf('.') }).flatMap((file) => {
    const tag = /^export default definePlugin\(\{[^]*?\btag: '([^']+)'/m.exec(
      readFileSync(pathOf(file), 'utf8'),
    )?.[1]
    return tag === undefined ? [] : [{ tag, room: dirname(file).replace('plugins/', '') }]
  })
  const rows = [...Map.groupBy(tagged, ({ tag }) => tag)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, rooms]) => [
      tag,
      rooms
        .map(({ room }) => `\`${room}\``)
        .toSorted()
        .join(', '),
    ])
  return toMarkdown(['Tag', 'Rooms'], rows)
}
