/** Rewrites the fixtures of the surface and the tables of the README: `npm run surface`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fixtures, tables } from './all.ts'
import { pathOf } from './doors.ts'
import { withTables } from './readme.ts'

await mkdir(pathOf('test/fixtures/surface'), { recursive: true })
for (const [name, text] of Object.entries(fixtures)) await writeFile(pathOf(`test/fixtures/surface/${name}`), await text())
const readme = pathOf('README.md')
await writeFile(readme, await withTables(await readFile(readme, 'utf8'), tables))
