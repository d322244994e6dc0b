/** Rewrites the fixture of the matrix, as the last step of `npm run surface`. Review the difference before you commit it. */
import { writeFileSync } from 'node:fs'
import { fixture, matrixText } from './matrix-text.ts'
import { askAll } from './matrix.ts'

writeFileSync(fixture, matrixText(await askAll()))
