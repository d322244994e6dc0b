/** Rewrites the fixtures of the surface and the tables in Markdown files: `npm run surface`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fixtures, tables } from './all.ts'
import { pathOf } from './doors.ts'
import { withTables } from './readme.ts'

await mkdir(pathOf('test/fixtures/surface'), { recursive: true })
for (const [name, text] of Object.entries(fixtures))
  await writeFile(pathOf(`test/fixtures/surface/${name}`), await text())
for (const [file, known] of Object.entries(tables)) {
  const path = pathOf(file)
  await writeFile(path, await withTables(await readFile(path, 'utf8'), known))
}
