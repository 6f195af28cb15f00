// The public names at the top level of swift-http-types 1.6.0. What they are does not matter: a name is ambiguous by its spelling.

package enum HTTPField {}
package enum HTTPFields {}
package enum HTTPRequest {}
package enum HTTPResponse {}
