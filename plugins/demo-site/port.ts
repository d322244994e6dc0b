export { loadDemoPages, loadRenderer } from './load.ts'
