/** Writes down who gets in where, as it is now. Read the difference before you commit it. */
import { writeFileSync } from 'node:fs'
import { askAll, matrixText } from './matrix.ts'

const texts: string[] = []
for (const shape of ['standalone', 'library'] as const) texts.push(matrixText(shape, await askAll(shape)))
writeFileSync(new URL('../fixtures/security/matrix.txt', import.meta.url), texts.join('\n'))
