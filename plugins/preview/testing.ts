/** The door for tests: what they use of this room besides its port. */
export { findBrowser, NoBrowser } from './browser.ts'
export { createCamera, type CameraOptions, type PageToCapture } from './camera.ts'
export { createScreenshot } from './screenshot.ts'
