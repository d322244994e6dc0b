export { loadDemoPages, loadRenderer, loadThread } from './load.ts'
