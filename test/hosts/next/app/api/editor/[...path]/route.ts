import { editor } from '../../../../lib/site.ts'

const { fetch } = editor

export { fetch as GET, fetch as HEAD, fetch as OPTIONS, fetch as POST }
