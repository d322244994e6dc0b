import { orchestrator } from '../../../../lib/site.ts'

const { fetch } = orchestrator

export { fetch as DELETE, fetch as GET, fetch as HEAD, fetch as OPTIONS, fetch as PATCH, fetch as POST, fetch as PUT }
