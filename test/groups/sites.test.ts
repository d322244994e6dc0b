import { runGroup } from '../helpers/group.ts'

await runGroup('sites')
