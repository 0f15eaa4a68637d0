// Loads a module as Node does: what the test runner imports, it transforms.
module.exports = (url) => import(url);
