/** The table of gates, for which every route of three installations is asked. */
import { gatesFile } from './surface/all.ts'
import { testTables } from './surface/test-tables.ts'

testTables(gatesFile)
