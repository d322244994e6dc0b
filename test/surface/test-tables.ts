import { readFile } from 'node:fs/promises'
import t from 'tap'
import { tables } from './all.ts'
import { pathOf } from './doors.ts'
import { tablesIn, withTables } from './readme.ts'

export const remedy = 'if the change is intended, `npm run surface` records it; review the difference'

/** Tests that the tables of a text are those of the code. */
export function testTables(file: string): void {
  void t.test(`the tables of ${file} are those of the code`, async (t) => {
    const known = tables[file] ?? {}
    const text = await readFile(pathOf(file), 'utf8')
    t.strictSame((await withTables(text, known)).split('\n'), text.split('\n'), remedy)
    t.strictSame(tablesIn(text).toSorted(), Object.keys(known).toSorted())
    await t.rejects(withTables('<!-- table:weather -->\n<!-- /table -->', known), {
      message: /'weather' for this file; there are [a-z]/,
    })
  })
}
