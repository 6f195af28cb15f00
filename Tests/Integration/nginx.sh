#!/usr/bin/env bash
# Records from nginx, stops it, and replays: runs NginxTests with their server.
#
# Arguments are passed to `swift test`, so that an existing build with the same flags is reused. Requires root: URLSession
# on Linux trusts only the system's certificate authorities, so the script adds one while it runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
umask 022

say() { printf 'nginx: %s\n' "$*"; }
skip() {
    say "skipped: $*"
    exit 0
}

# --- Cleanup ---------------------------------------------------------------------------------------------------------

folder=""
authority=""
upstream=""
nginx=""
tests=""
policy=""

cleanup() {
    local status=$?
    trap - EXIT INT TERM HUP
    set +e
    if [[ -n $tests ]]; then
        kill "$tests"
        wait "$tests"
    fi 2>/dev/null
    if [[ -n $nginx ]]; then
        "$folder/stop" || kill -KILL -- "-$nginx"
        wait "$nginx"
    fi 2>/dev/null
    if [[ -n $upstream ]]; then
        kill -KILL "$upstream"
        wait "$upstream"
    fi 2>/dev/null
    [[ -n $policy ]] && rm -f "$policy"
    if [[ -n $authority ]]; then
        rm -f "/usr/local/share/ca-certificates/$authority.crt"
        # update-ca-certificates does not remove links to a deleted file.
        find /etc/ssl/certs -maxdepth 1 -type l -lname "*$authority.*" -delete
        timeout 60 update-ca-certificates >/dev/null 2>&1 || say "update-ca-certificates failed during the cleanup"
    fi
    if [[ -n $folder ]]; then
        if ((status != 0)) && [[ -s $folder/error.log ]]; then
            say "error log:"
            tail -n 20 "$folder/error.log"
        fi
        rm -rf "$folder"
    fi
    exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# --- Requirements ----------------------------------------------------------------------------------------------------

((EUID == 0)) || skip "requires root to add a certificate authority"

missing=()
command -v nginx >/dev/null || missing+=(nginx-light)
command -v openssl >/dev/null || missing+=(openssl)
command -v python3 >/dev/null || missing+=(python3)
command -v update-ca-certificates >/dev/null || missing+=(ca-certificates)

install_packages() {
    timeout 180 env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=60 install --no-install-recommends "$@" </dev/null >/dev/null 2>&1
}

if ((${#missing[@]} > 0)); then
    command -v apt-get >/dev/null || skip "missing ${missing[*]}, and no apt-get to install them"
    # Prevents the installation from starting the nginx service, and stops it if it was started anyway.
    if [[ ! -e /usr/sbin/policy-rc.d ]]; then
        policy=/usr/sbin/policy-rc.d
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
    fi
    install_packages "${missing[@]}" || {
        timeout 120 apt-get -q update </dev/null >/dev/null 2>&1 || true
        install_packages "${missing[@]}" || skip "'apt-get install ${missing[*]}' failed"
    }
    if [[ -n $policy ]]; then
        rm -f "$policy"
        policy=""
    fi
    if [[ " ${missing[*]} " == *" nginx-light "* && -s /run/nginx.pid ]]; then
        service nginx stop >/dev/null 2>&1 || kill "$(cat /run/nginx.pid)" || true
    fi
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/rewind-nginx.XXXXXXXX")
# The workers of nginx do not run as root and must be able to read the files.
chmod 711 "$folder"
files=$folder/files
mkdir "$files"

# --- Files -----------------------------------------------------------------------------------------------------------

seq -f 'Zeile %.0f: Grüße aus der Ferne' 3000 >"$files/text.txt"
{
    printf '['
    seq -s ', ' -f '{"id": %.0f, "name": "Jürgen", "path": "a/b"}' 1000
    printf ']\n'
} >"$files/items.json"
openssl rand -out "$files/blob.bin" 5000000
printf 'nothing is secret here\n' >"$files/private.txt"
printf 'ada:%s\n' "$(openssl passwd -apr1 lovelace)" >"$folder/users"

# --- Certificate authority and certificate for localhost -------------------------------------------------------------

cat >"$folder/certificates.cnf" <<'END'
[req]
distinguished_name = name
prompt = no
[name]
commonName = localhost
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
nameConstraints = critical, permitted;DNS:localhost, permitted;IP:127.0.0.1/255.255.255.255
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost, IP:127.0.0.1
END

make_certificates() (
    cd "$folder"
    key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
    openssl req -x509 -config certificates.cnf -extensions authority "${key[@]}" -days 1 \
        -subj "/CN=Rewind integration test" -keyout authority.key -out authority.crt
    openssl req -new -config certificates.cnf "${key[@]}" -keyout server.key -out server.csr
    openssl x509 -req -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial -days 1 \
        -extfile certificates.cnf -extensions server -out server.crt
    # Without the key, the authority cannot issue another certificate.
    rm authority.key
)
make_certificates 2>"$folder/openssl.log" || {
    cat "$folder/openssl.log"
    exit 1
}
authority=$(basename "$folder")
cp "$folder/authority.crt" "/usr/local/share/ca-certificates/$authority.crt"
timeout 60 update-ca-certificates >/dev/null 2>&1 || {
    say "update-ca-certificates failed"
    exit 1
}

# --- Upstream with chunked answers -----------------------------------------------------------------------------------

cat >"$folder/upstream.py" <<'END'
import sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

text = open(sys.argv[1], "rb").read()
size = len(text) // 8 + 1

class Upstream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(text), size):
            piece = text[start:start + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            time.sleep(0.02)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *arguments):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
print(server.server_address[1], flush=True)
server.serve_forever()
END
python3 "$folder/upstream.py" "$files/text.txt" >"$folder/upstream.port" 2>"$folder/upstream.log" &
upstream=$!
for _ in {1..200}; do
    [[ -s $folder/upstream.port ]] && break
    sleep 0.05
done
[[ -s $folder/upstream.port ]] || {
    say "the upstream did not start"
    cat "$folder/upstream.log"
    exit 1
}

# --- nginx in a temporary folder -------------------------------------------------------------------------------------

read -r http https < <(
    python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for each in sockets: each.bind(("127.0.0.1", 0))
print(*(each.getsockname()[1] for each in sockets))'
)

cat >"$folder/nginx.conf" <<END
daemon off;
pid $folder/nginx.pid;
error_log $folder/error.log;
worker_processes 1;
events { worker_connections 256; }
http {
    access_log off;
    log_not_found off;
    types {
        text/plain txt;
        application/json json;
        application/octet-stream bin;
    }
    charset utf-8;
    client_body_temp_path $folder/temporary-body;
    proxy_temp_path $folder/temporary-proxy;
    fastcgi_temp_path $folder/temporary-fastcgi;
    uwsgi_temp_path $folder/temporary-uwsgi;
    scgi_temp_path $folder/temporary-scgi;
    keepalive_timeout 60s;
    keepalive_requests 1000;
    gzip on;
    gzip_min_length 256;
    gzip_types text/plain application/json;
    gzip_vary on;
    add_header X-Protocol \$server_protocol always;
    add_header X-Connection \$connection always;
    server {
        listen 127.0.0.1:$http;
        listen 127.0.0.1:$https ssl http2;
        server_name localhost;
        ssl_certificate $folder/server.crt;
        ssl_certificate_key $folder/server.key;
        root $files;
        location = /stream {
            proxy_pass http://127.0.0.1:$(cat "$folder/upstream.port")/;
            proxy_http_version 1.1;
            proxy_buffering off;
        }
        location = /old { return 302 /items.json; }
        location = /private.txt {
            auth_basic "private";
            auth_basic_user_file $folder/users;
        }
    }
}
END

# In its own process group, with its workers.
setsid nginx -p "$folder" -c "$folder/nginx.conf" -e "$folder/error.log" &
nginx=$!

# Stops nginx and waits until its ports refuse connections.
cat >"$folder/stop" <<END
#!/usr/bin/env bash
kill -TERM $nginx 2>/dev/null
for _ in {1..100}; do
    (: </dev/tcp/127.0.0.1/$http) 2>/dev/null || (: </dev/tcp/127.0.0.1/$https) 2>/dev/null || exit 0
    sleep 0.05
done
exit 1
END
chmod 755 "$folder/stop"

is_up() { (: </dev/tcp/127.0.0.1/"$http") 2>/dev/null && (: </dev/tcp/127.0.0.1/"$https") 2>/dev/null; }
for _ in {1..200}; do
    is_up && break
    kill -0 "$nginx" 2>/dev/null || break
    sleep 0.05
done
is_up || {
    say "nginx did not start"
    exit 1
}

# --- Tests -----------------------------------------------------------------------------------------------------------

# The settings and the proxy of this machine must not affect the tests.
unset CI REWIND_MODE REWIND_CASSETTES
export no_proxy=localhost,127.0.0.1 NO_PROXY=localhost,127.0.0.1
export REWIND_NGINX_HTTP=http://127.0.0.1:$http
export REWIND_NGINX_HTTPS=https://localhost:$https
export REWIND_NGINX_FILES=$files
export REWIND_NGINX_STOP=$folder/stop

say "$(nginx -v 2>&1), HTTP on port $http, HTTPS on port $https"
timeout --kill-after=10 300 swift test "$@" --filter NginxTests &
tests=$!
status=0
wait "$tests" || status=$?
tests=""
if ((status == 0)) && is_up; then
    say "failed: the tests did not run, as nginx is still running"
    status=1
fi
exit "$status"
