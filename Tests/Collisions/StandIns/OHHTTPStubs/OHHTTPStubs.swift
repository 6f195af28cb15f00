// The public names at the top level of OHHTTPStubs 9.1.0. What they are does not matter: a name is ambiguous by its spelling.

package enum HTTPStubs {}
package enum HTTPStubsDescriptor {}
package enum HTTPStubsResponse {}
package enum HTTPStubsResponseBlock {}
package enum HTTPStubsTestBlock {}
package enum MocktailErrorDomain {}
package enum OHHTTPStubsMocktailError {}

package func containsQueryParams() {}
package func hasFormBody() {}
package func hasHeaderNamed() {}
package func hasJsonBody() {}
package func isAbsoluteURLString() {}
package func isExtension() {}
package func isHost() {}
package func isMethodDELETE() {}
package func isMethodGET() {}
package func isMethodHEAD() {}
package func isMethodPATCH() {}
package func isMethodPOST() {}
package func isMethodPUT() {}
package func isPath() {}
package func isScheme() {}
package func pathEndsWith() {}
package func pathMatches() {}
package func pathStartsWith() {}
