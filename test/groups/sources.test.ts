import { runGroup } from '../helpers/group.ts'

await runGroup('sources')
